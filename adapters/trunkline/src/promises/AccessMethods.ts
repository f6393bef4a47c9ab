import { Engine } from "@trunkline/engine"
import { Invalid, NotFound } from "@trunkline/errors"
import {
  Account,
  AccountId,
  AccountStore,
  ApiKey,
  KeyEnvironment,
  KeyId,
  KeyTerms,
  KeyText,
  Plan,
  Workspace
} from "@trunkline/rate-limits"
import { Effect, Redacted, Schema } from "effect"
import type { AccessMethods, OfAccount } from "./AccessTypes.js"
import { callerOf } from "./Callers.js"
import { decode } from "./Decode.js"
import type { Runner } from "./Runner.js"

const decodeAccount = decode(
  Schema.Struct({
    account_id: AccountId,
    plan: Schema.optionalWith(Plan, { default: () => "starter" as const }),
    credits: Schema.optionalWith(Schema.NullOr(Schema.NonNegativeInt), { default: () => null })
  }),
  "account"
)

const decodeWorkspace = decode(Workspace, "workspace")

const account = Schema.optional(AccountId)

const terms = {
  account,
  workspaces: Schema.optionalWith(KeyTerms.fields.workspaces, { default: () => "*" as const }),
  features: Schema.optionalWith(KeyTerms.fields.features, { default: () => [] }),
  models: Schema.optionalWith(KeyTerms.fields.models, { default: () => null }),
  label: Schema.optionalWith(Schema.String, { default: () => "key" }),
  budget: KeyTerms.fields.budget
}

const decodeNewKey = decode(
  Schema.Struct({
    env: Schema.optionalWith(KeyEnvironment, { default: () => KeyEnvironment.make("live") }),
    ...terms
  }),
  "options"
)

const decodeChosenKey = decode(Schema.Struct({ key: KeyText, ...terms }), "options")

const decodeGrant = decode(
  Schema.Struct({
    account,
    micro_credits: Schema.Int.pipe(Schema.positive()),
    reference: Schema.NonEmptyString
  }),
  "options"
)

const Day = Schema.String.pipe(
  Schema.filter((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)), {
    message: () => "Must be a day, as YYYY-MM-DD"
  })
)

const decodeDays = decode(Schema.Struct({ account, from: Day, to: Day }), "options")

const decodeId = decode(AccountId, "account")

/** Reads the id of a key; the key itself or a record of it is none. */
const decodeKeyId = (keyId: unknown) =>
  typeof keyId === "string"
    ? Effect.map(decode(Schema.Struct({ key_id: KeyId }), "key_id")({ key_id: keyId }), ({ key_id }) => key_id)
    : Invalid.at(["key_id"], "string_type", "Must be the key_id of a key, as keys.list has it")

const encodeKey = Schema.encodeSync(ApiKey)

/** A key without the hash of its text. */
const plainKey = (key: ApiKey) => {
  const { hash: _, ...plain } = encodeKey(key)
  return plain
}

const decodeOfAccount = decode(Schema.Struct({ account }), "options")

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
  /** The account of options that have nothing else. */
  const ofAccount = (options: OfAccount) =>
    Effect.flatMap(decodeOfAccount(options), ({ account }) => accountOf(account))
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
          const decodedWorkspace = yield* decodeWorkspace(workspace)
          yield* existing(decodedWorkspace.account_id)
          yield* putWorkspace(decodedWorkspace)
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
      create: (options = {}) =>
        run(Effect.gen(function*() {
          const { create } = (yield* Engine).keys
          const { account, env, ...terms } = yield* decodeNewKey(options)
          const { key, text } = yield* create(yield* accountOf(account), { env, terms })
          return { ...plainKey(key), key: Redacted.value(text) }
        })),
      ensureKey: (options) =>
        run(Effect.gen(function*() {
          const { ensure } = (yield* Engine).keys
          const { account, key, ...terms } = yield* decodeChosenKey(options)
          const storedKey = yield* ensure(yield* accountOf(account), { text: Redacted.make(key), terms })
          return { ...plainKey(storedKey), key }
        })),
      list: (options = {}) =>
        run(Effect.gen(function*() {
          const { list } = (yield* Engine).keys
          return (yield* list(yield* ofAccount(options))).map(plainKey)
        })),
      revoke: (keyId, options = {}) =>
        run(Effect.gen(function*() {
          const { revoke } = (yield* Engine).keys
          yield* revoke(yield* ofAccount(options), yield* decodeKeyId(keyId))
        }))
    },
    credits: {
      grant: (options) =>
        run(Effect.gen(function*() {
          const { grant } = (yield* Engine).credits
          const { account, micro_credits, reference } = yield* decodeGrant(options)
          return yield* grant({ account_id: yield* accountOf(account), micro_credits, reference })
        })),
      balance: (options = {}) =>
        run(Effect.gen(function*() {
          const { balance } = (yield* Engine).credits
          return yield* balance(yield* ofAccount(options))
        })),
      usage: (options) =>
        run(Effect.gen(function*() {
          const { usage } = (yield* Engine).credits
          const { account, from, to } = yield* decodeDays(options)
          return yield* usage({ account_id: yield* accountOf(account), from, to })
        }))
    }
  }
}
