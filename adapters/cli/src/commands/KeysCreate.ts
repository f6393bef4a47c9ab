import { WorkspaceId } from "@trunkline/kernel"
import { AccountId, AccountStore, Feature, KeyEnvironment, Keys } from "@trunkline/rate-limits"
import { Effect, Redacted, Schema } from "effect"
import { command, CommandFailed } from "../Command.js"
import { Budget, maybe, otherwise } from "../Inputs.js"
import { keyJson } from "../ListedKey.js"
import { accountOf } from "../Lookup.js"

const demandWorkspaces = Effect.fnUntraced(function*(account: AccountId, wanted: ReadonlyArray<WorkspaceId>) {
  const owned = (yield* (yield* AccountStore).workspacesOf(account)).map(({ workspace_id }) => workspace_id)
  const unknown = wanted.filter((workspace) => !owned.includes(workspace))
  if (unknown.length === 0) return
  const choice = owned.length === 0 ? "it has none" : `choose from ${owned.join(", ")}`
  return yield* new CommandFailed({ message: `${account} has no workspace ${unknown.join(", ")}: ${choice}` })
})

/** `keys create`: makes a key and shows it this once. */
export const keysCreate = command({
  name: "keys create",
  about: "Makes a key for an account and prints it. It is printed this once: only its hash is kept.",
  operands: [],
  flags: {
    account: { value: "account", needed: true, about: "whose key it is" },
    label: { value: "text", about: "what its owner calls it (default: key)" },
    workspace: { value: "workspace", many: true, about: "a workspace that it opens (default: all of the account's)" },
    feature: { value: "feature", many: true, about: "something that is opened per key: beta" },
    model: { value: "model", many: true, about: "a model that it may use (default: all)" },
    env: { value: "name", about: "the installation that its text names (default: live)" },
    budget: { value: "micro-credits/period", about: "what it may spend, such as 5000000/month; or /day, or /total" }
  },
  input: Schema.Struct({
    account: AccountId,
    label: otherwise(Schema.String, "key"),
    workspace: maybe(Schema.Array(WorkspaceId)),
    feature: otherwise(Schema.Array(Feature), []),
    model: maybe(Schema.Array(Schema.NonEmptyString)),
    env: otherwise(KeyEnvironment, KeyEnvironment.make("live")),
    budget: maybe(Budget)
  }),
  run: Effect.fnUntraced(function*({ account, budget, env, feature, label, model, workspace }) {
    yield* accountOf(account)
    yield* demandWorkspaces(account, workspace ?? [])
    const terms = { workspaces: workspace ?? "*" as const, features: feature, models: model ?? null, label }
    const made = (yield* Keys).create(account, { env, terms: { ...terms, budget: budget ?? null } })
    const { key, text } = yield* Effect.orDie(made)
    return {
      text: Redacted.value(text),
      json: { key: Redacted.value(text), ...keyJson(key) },
      notice: `Keep the key now: it cannot be shown again. Its id is ${key.key_id}.`
    }
  })
})
