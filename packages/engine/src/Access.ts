import { Invalid, type Issue } from "@trunkline/errors"
import {
  Account,
  AccountId,
  Accounts,
  AccountStore,
  Keys,
  KeyTerms,
  KeyText,
  Plan,
  Workspace
} from "@trunkline/rate-limits"
import { Array, Effect, Layer, Redacted, Schema } from "effect"

const optional = <A, I>(schema: Schema.Schema<A, I>, value: () => A) =>
  Schema.optionalWith(schema, { exact: true, default: value })

/** Account in a configuration: the plan is `starter` and credits are unlimited by default. */
const AccountEntry = Schema.Struct({
  account_id: AccountId,
  plan: optional(Plan, () => "starter" as const),
  /** Micro-credits granted once, when the account is created; null for unlimited. */
  credits: optional(Schema.NullOr(Schema.NonNegativeInt), () => null)
})

/** API key in a configuration: its text, its account, and its permissions; by default everything of the account. */
const KeyEntry = Schema.Struct({
  key: KeyText,
  account_id: AccountId,
  workspaces: optional(KeyTerms.fields.workspaces, () => "*" as const),
  features: optional(KeyTerms.fields.features, () => []),
  models: optional(KeyTerms.fields.models, () => null),
  /** Budget within the credits of the account; null for unlimited. */
  budget: KeyTerms.fields.budget,
  label: optional(Schema.String, () => "key")
})

/** Configuration of access to an engine: accounts, their workspaces, and API keys that the operator has chosen. */
export const Access = Schema.Struct({
  accounts: Schema.Array(AccountEntry),
  workspaces: Schema.Array(Workspace),
  keys: Schema.Array(KeyEntry)
})
export type Access = typeof Access.Type

/**
 * Creates or updates accounts, workspaces and keys before an engine starts. Revoked keys stay revoked, and credits are
 * granted to each account once. A key of an unknown account is a defect; check with `accessIssues` first.
 */
export const accessLayer = ({ accounts, keys, workspaces }: Access) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { put } = yield* Accounts
    const { putWorkspace } = yield* AccountStore
    const { adopt } = yield* Keys
    yield* Effect.forEach(accounts, (account) => put(new Account(account)))
    yield* Effect.forEach(workspaces, putWorkspace)
    yield* Effect.forEach(keys, ({ account_id, key, ...terms }) =>
      Effect.orDie(adopt(account_id, { text: Redacted.make(key), terms })))
  })).pipe(Layer.provide(Layer.merge(Accounts.layer, Keys.layer)))

const valueError = (loc: Issue["loc"], msg: string): Issue => ({ loc, msg, type: "value_error" })

/** Lists the entries that repeat an earlier one. */
const duplicateIssues = (list: string, ids: ReadonlyArray<string>, name?: string): ReadonlyArray<Issue> =>
  ids.flatMap((id, index) => ids.indexOf(id) < index ? [valueError([list, index], `${name ?? id} is given twice`)] : [])

/**
 * Lists accounts, workspaces and keys that occur twice, and workspaces and keys without an account, each with its path.
 * Messages never contain the text of a key.
 */
export const accessIssues = ({ accounts, keys, workspaces }: Access): ReadonlyArray<Issue> => {
  const ids = accounts.map(({ account_id }) => account_id)
  const missingAccountIssues = (list: "workspaces" | "keys", entries: Access["workspaces"] | Access["keys"]) =>
    entries.flatMap(({ account_id }, index) =>
      ids.includes(account_id) ? [] : [valueError([list, index, "account_id"], `There is no account "${account_id}"`)]
    )
  return [
    ...duplicateIssues("accounts", ids),
    ...duplicateIssues("workspaces", workspaces.map(({ org_id, workspace_id }) => `${org_id}/${workspace_id}`)),
    ...duplicateIssues("keys", keys.map(({ key }) => key.split("_")[2] ?? ""), "the public id of a key"),
    ...missingAccountIssues("workspaces", workspaces),
    ...missingAccountIssues("keys", keys)
  ]
}

/** Fails with all issues, if there are any. */
export const failWithIssues = (issues: ReadonlyArray<Issue>): Effect.Effect<void, Invalid> =>
  Array.isNonEmptyReadonlyArray(issues) ? Effect.fail(new Invalid({ issues })) : Effect.void
