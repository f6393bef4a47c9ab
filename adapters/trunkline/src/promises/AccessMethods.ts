import { Engine } from "@trunkline/engine"
import { Invalid, issuesOf, NotFound } from "@trunkline/errors"

import {
  Account,
  AccountId,
  AccountStore,
  ApiKey,
  KeyEnvironment,
  KeyId,
  KeyTerms,
  Plan,
  Workspace
} from "@trunkline/rate-limits"
import { Effect, Redacted, Schema } from "effect"
import type { AccessMethods } from "./AccessTypes.js"
import { callerOf } from "./Callers.js"
import type { Runner } from "./Runner.js"

/** Decodes plain values; fails with `Invalid`, with every issue. */
const decode = <A, I>(schema: Schema.Schema<A, I>) => {
  const read = Schema.decodeUnknown(schema, { errors: "all", onExcessProperty: "error" })
  return (input: unknown): Effect.Effect<A, Invalid> =>
    Effect.mapError(read(input), (error) => new Invalid({ issues: issuesOf(error, "body") }))
}

const decodeAccount = decode(
  Schema.Struct({
    account_id: AccountId,
    plan: Schema.optionalWith(Plan, { default: () => "starter" as const }),
    credits: Schema.optionalWith(Schema.NullOr(Schema.NonNegativeInt), { default: () => null })
  })
)

const decodeWorkspace = decode(Workspace)

const decodeTerms = decode(Schema.Struct({
  env: Schema.optionalWith(KeyEnvironment, { default: () => KeyEnvironment.make("live") }),
  workspaces: Schema.optionalWith(KeyTerms.fields.workspaces, { default: () => "*" as const }),
  features: Schema.optionalWith(KeyTerms.fields.features, { default: () => [] }),
  models: Schema.optionalWith(KeyTerms.fields.models, { default: () => null }),
  label: Schema.optionalWith(Schema.String, { default: () => "key" }),
  budget: KeyTerms.fields.budget
}))

const decodeGrant = decode(Schema.Struct({
  micro_credits: Schema.Int.pipe(Schema.positive()),
  reference: Schema.NonEmptyString
}))

const Day = Schema.String.pipe(
  Schema.filter((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)), {
    message: () => "Must be a day, as YYYY-MM-DD"
  })
)

const decodeDays = decode(Schema.Struct({ from: Day, to: Day }))

const decodeId = decode(AccountId)
const decodeKeyId = decode(KeyId)

const encodeKey = Schema.encodeSync(ApiKey)

/** A key without the hash of its text. */
const plainKey = (key: ApiKey) => {
  const { hash: _, ...plain } = encodeKey(key)
  return plain
}

const existing = (account: string) =>
  Effect.gen(function*() {
    const { findAccount } = yield* AccountStore
    const id = yield* decodeId(account)
    return yield* Effect.mapError(yield* findAccount(id), () => new NotFound({ resource: "account", id }))
  })

/** Makes the methods of accounts, keys and credits. */
export const makeAccess = ({ run }: Runner, defaultWorkspace: string): AccessMethods => {
  /** The account of the options; by default that of the default workspace. */
  const accountOf = (account: string | undefined) =>
    account === undefined
      ? Effect.map(callerOf(defaultWorkspace), ({ caller }) => caller.account_id)
      : Effect.map(existing(account), ({ account_id }) => account_id)
  return {
    accounts: {
      put: (account) =>
        run(Effect.gen(function*() {
          const { put } = (yield* Engine).accounts
          yield* put(new Account(yield* decodeAccount(account)))
        })),
      putWorkspace: (workspace) =>
        run(Effect.gen(function*() {
          const { putWorkspace } = yield* AccountStore
          const decoded = yield* decodeWorkspace(workspace)
          yield* existing(decoded.account_id)
          yield* putWorkspace(decoded)
        })),
      list: () =>
        run(
          Effect.flatMap(AccountStore, ({ listAccounts, workspacesOf }) =>
            Effect.flatMap(listAccounts, (accounts) =>
              Effect.forEach(accounts, ({ account_id, plan }) =>
                Effect.map(workspacesOf(account_id), (workspaces) => ({
                  account_id,
                  plan,
                  workspaces: workspaces.map(({ org_id, workspace_id }) =>
                    `${org_id}/${workspace_id}`
                  )
                })))))
        )
    },
    keys: {
      create: ({ account, ...terms } = {}) =>
        run(Effect.gen(function*() {
          const { create } = (yield* Engine).keys
          const { env, ...decoded } = yield* decodeTerms(terms)
          const { key, text } = yield* create(yield* accountOf(account), { env, terms: decoded })
          return { ...plainKey(key), key: Redacted.value(text) }
        })),
      list: (options = {}) =>
        run(Effect.gen(function*() {
          const { list } = (yield* Engine).keys
          return (yield* list(yield* accountOf(options.account))).map(plainKey)
        })),
      revoke: (keyId, options = {}) =>
        run(Effect.gen(function*() {
          const { revoke } = (yield* Engine).keys
          yield* revoke(yield* accountOf(options.account), yield* decodeKeyId(keyId))
        }))
    },
    credits: {
      grant: ({ account, ...terms }) =>
        run(Effect.gen(function*() {
          const { grant } = (yield* Engine).credits
          const { micro_credits, reference } = yield* decodeGrant(terms)
          return yield* grant({ account_id: yield* accountOf(account), micro_credits, reference })
        })),
      balance: (options = {}) =>
        run(Effect.gen(function*() {
          const { balance } = (yield* Engine).credits
          return yield* balance(yield* accountOf(options.account))
        })),
      usage: ({ account, ...days }) =>
        run(Effect.gen(function*() {
          const { usage } = (yield* Engine).credits
          const { from, to } = yield* decodeDays(days)
          return yield* usage({ account_id: yield* accountOf(account), from, to })
        }))
    }
  }
}
