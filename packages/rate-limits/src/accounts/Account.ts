import { OrgId, WorkspaceId } from "@trunkline/kernel"
import { Schema } from "effect"
import { Plan } from "./Plan.js"

/** An account's id: chosen by the operator, 1 to 128 characters without `/`. */
export const AccountId = Schema.String.pipe(Schema.pattern(/^[^/]{1,128}$/), Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** Who pays: limits and credits belong to an account and are shared by all of its keys. */
export class Account extends Schema.Class<Account>("Account")({
  account_id: AccountId,
  plan: Plan,
  /** What it is given once, in micro-credits; what is left is the ledger's. Null means without limit. */
  credits: Schema.NullOr(Schema.NonNegativeInt)
}) {}

/** A workspace and the account that owns it. An account may own workspaces of several organisations. */
export class Workspace extends Schema.Class<Workspace>("Workspace")({
  org_id: OrgId,
  workspace_id: WorkspaceId,
  account_id: AccountId
}) {}
