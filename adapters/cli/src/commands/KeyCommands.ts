import { WorkspaceId } from "@trunkline/kernel"
import { AccountId, AccountStore, ApiKey, Feature, type KeyBudget, KeyEnvironment, Keys } from "@trunkline/rate-limits"
import { Effect, Redacted, Schema } from "effect"
import { command, CommandFailed, getAccount } from "../Command.js"
import { Budget, KeyReference, optional, withDefault } from "../Inputs.js"
import { formatList, formatTime, table, type TextColumn } from "../Text.js"

const requireWorkspaces = Effect.fnUntraced(
  function*(account: AccountId, requestedWorkspaceIds: ReadonlyArray<WorkspaceId>) {
    const ownedWorkspaceIds = (yield* (yield* AccountStore).workspacesOf(account)).map(({ workspace_id }) =>
      workspace_id
    )
    const unknownWorkspaceIds = requestedWorkspaceIds.filter((workspace) => !ownedWorkspaceIds.includes(workspace))
    if (unknownWorkspaceIds.length === 0) return
    const choice = ownedWorkspaceIds.length === 0 ? "it has none" : `choose from ${ownedWorkspaceIds.join(", ")}`
    return yield* new CommandFailed({
      message: `${account} has no workspace ${unknownWorkspaceIds.join(", ")}: ${choice}`
    })
  }
)

/** `keys create`: creates a key and prints it once. */
export const keysCreate = command("keys create", {
  input: Schema.Struct({
    account: AccountId,
    label: withDefault(Schema.String, "key"),
    workspace: optional(Schema.Array(WorkspaceId)),
    feature: withDefault(Schema.Array(Feature), []),
    model: optional(Schema.Array(Schema.NonEmptyString)),
    env: withDefault(KeyEnvironment, KeyEnvironment.make("live")),
    budget: optional(Budget)
  }),
  run: Effect.fnUntraced(function*({ account, budget, env, feature, label, model, workspace }) {
    yield* getAccount(account)
    yield* requireWorkspaces(account, workspace ?? [])
    const terms = { workspaces: workspace ?? "*" as const, features: feature, models: model ?? null, label }
    const creation = (yield* Keys).create(account, { env, terms: { ...terms, budget: budget ?? null } })
    const { key, text } = yield* Effect.orDie(creation)
    return {
      text: Redacted.value(text),
      json: { key: Redacted.value(text), ...keyJson(key) },
      notice: `Store the key now: it cannot be shown again. Its id is ${key.key_id}.`
    }
  })
})

/** `keys list`: lists the keys of an account, without secrets. */
export const keysList = command("keys list", {
  input: Schema.Struct({ account: AccountId }),
  run: Effect.fnUntraced(function*({ account }) {
    yield* getAccount(account)
    const keys = yield* (yield* Keys).list(account)
    return { text: table(keys, keyColumns, `${account} has no keys`), json: keys.map((key) => keyJson(key)) }
  })
})

/** `keys revoke`: revokes a key permanently. */
export const keysRevoke = command("keys revoke", {
  input: Schema.Struct({ account: AccountId, key: KeyReference }),
  run: Effect.fnUntraced(function*({ account, key: key_id }) {
    yield* getAccount(account)
    yield* (yield* Keys).revoke(account, key_id).pipe(
      Effect.mapError(() => {
        const next = `"trunkline keys list --account ${account}" shows its keys`
        return new CommandFailed({ message: `${account} has no key with this id: ${next}` })
      })
    )
    return {
      text: `The key ${key_id} of ${account} is revoked: a running server rejects it within 5 seconds.`,
      json: { account_id: account, key_id, revoked: true }
    }
  })
})

/** JSON form of a key: everything but its hash. */
const keyJson = Schema.encodeSync(Schema.Struct(ApiKey.fields).omit("hash"))

const budgetText = (budget: KeyBudget | null) => budget === null ? "-" : `${budget.micro_credits}/${budget.period}`

/** Columns of a table of keys. */
const keyColumns: ReadonlyArray<TextColumn<ApiKey>> = [
  { title: "ID", of: ({ key_id }) => key_id },
  { title: "LABEL", of: ({ label }) => label },
  { title: "WORKSPACES", of: ({ workspaces }) => workspaces === "*" ? "all" : formatList(workspaces) },
  { title: "FEATURES", of: ({ features }) => formatList(features) },
  { title: "MODELS", of: ({ models }) => models === null ? "all" : formatList(models) },
  { title: "BUDGET", of: ({ budget }) => budgetText(budget) },
  { title: "CREATED", of: ({ created_at }) => formatTime(created_at) },
  { title: "REVOKED", of: ({ revoked_at }) => revoked_at === null ? "-" : formatTime(revoked_at) }
]
