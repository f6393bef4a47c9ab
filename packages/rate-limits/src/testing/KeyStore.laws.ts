import { assert, layer } from "@effect/vitest"
import { Transactions, WorkspaceId } from "@trunkline/kernel"
import { DateTime, Effect, type Layer, Option } from "effect"
import { Account, AccountId, AccountStore } from "../accounts/AccountStore.js"
import { ApiKey, KeyId } from "../keys/ApiKey.js"
import { KeyStore } from "../keys/KeyStore.js"

const monday = DateTime.unsafeMake("2026-01-05T10:00:00Z")
const tuesday = DateTime.unsafeMake("2026-01-06T10:00:00.123Z")

const key = (name: string, change: Partial<ApiKey> = {}) =>
  new ApiKey({
    key_id: KeyId.make(`key-${name}`),
    hash: "5f".repeat(32),
    account_id: AccountId.make(`account-${name}`),
    workspaces: [WorkspaceId.make("main"), WorkspaceId.make("second")],
    features: ["beta"],
    models: null,
    label: "Laws",
    created_at: monday,
    revoked_at: null,
    ...change
  })

/** Laws of `KeyStore`. Each law uses its own accounts, so one layer can serve all laws. */
export const keyStoreLaws = <E>(name: string, live: Layer.Layer<AccountStore | KeyStore | Transactions, E>) =>
  layer(live)(`KeyStore laws: ${name}`, (it) => {
    const open = (name: string) =>
      Effect.gen(function*() {
        const { account_id } = key(name)
        yield* (yield* AccountStore).putAccount(new Account({ account_id, plan: "starter", credits: null }))
        return yield* KeyStore
      })

    it.effect("finds a key by its public id, with all its terms", () =>
      Effect.gen(function*() {
        const store = yield* open("find")
        const narrow = key("find")
        const wide = key("find", {
          key_id: KeyId.make("key-find-wide"),
          workspaces: "*",
          features: [],
          models: ["core-105b"],
          budget: { micro_credits: 5_000_000, period: "month" }
        })
        assert.isTrue(yield* store.insert(narrow))
        assert.isTrue(yield* store.insert(wide))
        assert.deepStrictEqual(yield* store.findByPublicId(narrow.key_id), Option.some(narrow))
        assert.deepStrictEqual(yield* store.findByPublicId(wide.key_id), Option.some(wide))
        assert.deepStrictEqual(yield* store.findByPublicId(KeyId.make("key-find-none")), Option.none())
        assert.deepStrictEqual(yield* store.findByPublicId(KeyId.make("KEY-FIND")), Option.none())
      }))

    it.effect("accepts a public id once", () =>
      Effect.gen(function*() {
        const store = yield* open("taken")
        yield* store.insert(key("taken"))
        assert.isFalse(yield* store.insert(key("taken", { hash: "00".repeat(32) })))
        assert.deepStrictEqual(yield* store.findByPublicId(key("taken").key_id), Option.some(key("taken")))
      }))

    it.effect("amends the hash and terms of a key and keeps its creation and revocation times", () =>
      Effect.gen(function*() {
        const store = yield* open("amend")
        const { account_id, key_id } = key("amend")
        yield* store.insert(key("amend"))
        yield* store.revoke({ account_id, key_id, at: tuesday })
        const change = { hash: "00".repeat(32), workspaces: "*", features: [], models: [], label: "New" } as const
        yield* store.amend(key("amend", { ...change, created_at: tuesday }))
        const newKey = key("amend", { ...change, revoked_at: tuesday })
        assert.deepStrictEqual(yield* store.findByPublicId(key_id), Option.some(newKey))
        yield* store.amend(key("amend", { key_id: KeyId.make("key-amend-none") }))
        assert.deepStrictEqual(yield* store.findByPublicId(KeyId.make("key-amend-none")), Option.none())
      }))

    it.effect("revokes a key once, for its own account only", () =>
      Effect.gen(function*() {
        const store = yield* open("revoke")
        const { account_id, key_id } = key("revoke")
        yield* store.insert(key("revoke"))
        const stranger = AccountId.make("account-revoke-other")
        assert.isFalse(yield* store.revoke({ account_id: stranger, key_id, at: monday }))
        assert.deepStrictEqual(yield* store.findByPublicId(key_id), Option.some(key("revoke")))
        assert.isTrue(yield* store.revoke({ account_id, key_id, at: monday }))
        assert.isTrue(yield* store.revoke({ account_id, key_id, at: tuesday }))
        assert.deepStrictEqual(yield* store.findByPublicId(key_id), Option.some(key("revoke", { revoked_at: monday })))
        assert.isFalse(yield* store.revoke({ account_id, key_id: KeyId.make("key-revoke-none"), at: monday }))
      }))

    it.effect("lists all keys of an account by ascending public id, including revoked ones", () =>
      Effect.gen(function*() {
        const store = yield* open("list")
        yield* open("list-other")
        const first = key("list", { key_id: KeyId.make("key-list-a") })
        const second = key("list", { key_id: KeyId.make("key-list-b"), revoked_at: tuesday })
        yield* Effect.forEach([second, first, key("list-other")], store.insert)
        assert.deepStrictEqual(yield* store.list(key("list").account_id), [first, second])
        assert.deepStrictEqual(yield* store.list(AccountId.make("account-list-none")), [])
      }))

    it.effect("rolls writes back when the transaction fails", () =>
      Effect.gen(function*() {
        const store = yield* open("rollback")
        const { run } = yield* Transactions
        const { account_id, key_id } = key("rollback")
        yield* store.insert(key("rollback"))
        const newKey = key("rollback", { key_id: KeyId.make("key-rollback-added") })
        const work = Effect.zipRight(store.insert(newKey), store.revoke({ account_id, key_id, at: tuesday }))
        yield* Effect.flip(run(Effect.zipRight(work, Effect.fail("refused"))))
        assert.deepStrictEqual(yield* store.list(account_id), [key("rollback")])
      }))
  })
