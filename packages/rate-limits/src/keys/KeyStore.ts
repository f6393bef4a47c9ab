import { MemoryTable, type Timestamp } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { AccountId } from "../accounts/Account.js"
import { ApiKey, type KeyId } from "./ApiKey.js"

/** Keeps keys, without their texts. Every write joins the running transaction. */
export class KeyStore extends Context.Tag("@trunkline/rate-limits/KeyStore")<KeyStore, {
  /** Adds a key; false, and nothing changes, when its public id is taken. */
  readonly insert: (key: ApiKey) => Effect.Effect<boolean>
  /**
   * Gives the stored key of this public id the hash, account and terms of this one. When it was created stays, and
   * whether it is revoked. Does nothing when there is no such key.
   */
  readonly amend: (key: ApiKey) => Effect.Effect<void>
  /** The key of this public id, revoked or not. */
  readonly findByPublicId: (id: KeyId) => Effect.Effect<Option.Option<ApiKey>>
  /** Closes an account's key from this moment on. An earlier revocation stays; false when the account has no such key. */
  readonly revoke: (
    key: { readonly account_id: AccountId; readonly key_id: KeyId; readonly at: Timestamp }
  ) => Effect.Effect<boolean>
  /** Every key of an account, revoked ones too, in the order of their public ids. */
  readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<ApiKey>>
}>() {
  /** Keeps keys in memory. */
  static readonly layerMemory = Layer.sync(KeyStore, () => {
    const keys = MemoryTable.make<KeyId, ApiKey>()
    return KeyStore.of({
      insert: (key) =>
        Effect.suspend(() => keys.has(key.key_id) ? Effect.succeed(false) : Effect.as(keys.set(key.key_id, key), true)),
      amend: (key) =>
        Effect.suspend(() => {
          const stored = keys.get(key.key_id)
          if (stored === undefined) return Effect.void
          const { created_at, revoked_at } = stored
          return keys.set(key.key_id, new ApiKey({ ...key, created_at, revoked_at }))
        }),
      findByPublicId: (id) => Effect.sync(() => Option.fromNullable(keys.get(id))),
      revoke: ({ account_id, at, key_id }) =>
        Effect.suspend(() => {
          const key = keys.get(key_id)
          if (key?.account_id !== account_id) return Effect.succeed(false)
          return Effect.as(keys.set(key_id, new ApiKey({ ...key, revoked_at: key.revoked_at ?? at })), true)
        }),
      list: (account) =>
        Effect.sync(() =>
          Array.from(keys.values())
            .filter((key) => key.account_id === account)
            .sort((a, b) => (a.key_id < b.key_id ? -1 : 1))
        )
    })
  })
}
