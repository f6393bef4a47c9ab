import { MemoryTable, type Timestamp } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { AccountId } from "../accounts/AccountStore.js"
import { ApiKey, type KeyId } from "./ApiKey.js"

/** Storage of keys, without their texts. Every write joins the current transaction. */
export class KeyStore extends Context.Tag("@trunkline/rate-limits/KeyStore")<KeyStore, {
  /** Adds a key; returns false and changes nothing when its public id is taken. */
  readonly insert: (key: ApiKey) => Effect.Effect<boolean>
  /**
   * Replaces the hash, account and terms of the stored key with this public id, but keeps its creation and revocation
   * times. Does nothing when there is no such key.
   */
  readonly amend: (key: ApiKey) => Effect.Effect<void>
  /** Finds a key by its public id, revoked or not. */
  readonly findByPublicId: (id: KeyId) => Effect.Effect<Option.Option<ApiKey>>
  /** Revokes a key of an account; keeps an earlier revocation. Returns false when the account has no such key. */
  readonly revoke: (
    key: { readonly account_id: AccountId; readonly key_id: KeyId; readonly at: Timestamp }
  ) => Effect.Effect<boolean>
  /** All keys of an account, including revoked ones, by ascending public id. */
  readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<ApiKey>>
}>() {
  /** Stores keys in memory. */
  static readonly layerMemory = Layer.sync(KeyStore, () => {
    const keys = MemoryTable.make<KeyId, ApiKey>()
    return KeyStore.of({
      insert: (key) =>
        Effect.suspend(() => keys.has(key.key_id) ? Effect.succeed(false) : Effect.as(keys.set(key.key_id, key), true)),
      amend: (key) =>
        Effect.suspend(() => {
          const storedKey = keys.get(key.key_id)
          if (storedKey === undefined) return Effect.void
          const { created_at, revoked_at } = storedKey
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
