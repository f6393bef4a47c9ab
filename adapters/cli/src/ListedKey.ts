import { ApiKey, type KeyBudget } from "@trunkline/rate-limits"
import { Schema } from "effect"
import { type Column, listed, momentText } from "./Text.js"

/** A key as machines see it: everything but its hash. */
export const keyJson = Schema.encodeSync(Schema.Struct(ApiKey.fields).omit("hash"))

const budgetText = (budget: KeyBudget | null) => budget === null ? "-" : `${budget.micro_credits}/${budget.period}`

/** A key as people see it in a list. */
export const keyColumns: ReadonlyArray<Column<ApiKey>> = [
  { title: "ID", of: ({ key_id }) => key_id },
  { title: "LABEL", of: ({ label }) => label },
  { title: "WORKSPACES", of: ({ workspaces }) => workspaces === "*" ? "all" : listed(workspaces) },
  { title: "FEATURES", of: ({ features }) => listed(features) },
  { title: "MODELS", of: ({ models }) => models === null ? "all" : listed(models) },
  { title: "BUDGET", of: ({ budget }) => budgetText(budget) },
  { title: "CREATED", of: ({ created_at }) => momentText(created_at) },
  { title: "REVOKED", of: ({ revoked_at }) => revoked_at === null ? "-" : momentText(revoked_at) }
]
