import { Account, AccountId, Accounts, AccountStore, Keys, KeyTerms, Plan, Workspace } from "@trunkline/rate-limits"
import { Effect, Layer, Redacted, Schema } from "effect"

const optional = <A, I>(schema: Schema.Schema<A, I>, value: () => A) =>
  Schema.optionalWith(schema, { exact: true, default: value })

/** An account as it is written down: `plan` is `starter` and credits are unlimited unless said otherwise. */
export const AccountEntry = Schema.Struct({
  account_id: AccountId,
  plan: optional(Plan, () => "starter" as const),
  /** Micro-credits that it is granted once; null is without limit. */
  credits: optional(Schema.NullOr(Schema.NonNegativeInt), () => null)
})

/** A key as it is written down: its text, whose it is, and what it opens; everything of its account by default. */
export const KeyEntry = Schema.Struct({
  key: Schema.String.pipe(Schema.pattern(/^sk_[^_\s]+_[^_\s]+_\S+$/, {
    message: () => "Must be a key of the form sk_<env>_<id>_<secret>"
  })),
  account_id: AccountId,
  workspaces: optional(KeyTerms.fields.workspaces, () => "*" as const),
  features: optional(KeyTerms.fields.features, () => []),
  models: optional(KeyTerms.fields.models, () => null),
  /** What it may spend of its account's credits; null is without limit. */
  budget: KeyTerms.fields.budget,
  label: optional(Schema.String, () => "key")
})

/** Who may use an engine: accounts, the workspaces they own, and keys that the operator has chosen. */
export const Access = Schema.Struct({
  accounts: Schema.Array(AccountEntry),
  workspaces: Schema.Array(Workspace),
  keys: Schema.Array(KeyEntry)
})
export type Access = typeof Access.Type

/**
 * Puts accounts, workspaces and keys in place before an engine starts; those that are there already are renewed, a
 * revoked key stays revoked, and credits are granted to an account once. A key of an unknown account is a defect.
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
