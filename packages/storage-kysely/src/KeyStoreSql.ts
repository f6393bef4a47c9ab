import { ApiKey, type KeyId, KeyStore } from "@trunkline/rate-limits"
import { Effect, Layer, Option } from "effect"
import { bodyOf } from "./Rows.js"
import { Sql } from "./Sql.js"

const { decode, encode, read } = bodyOf(ApiKey)

const rowOf = (key: ApiKey) => ({ key_id: key.key_id, account_id: key.account_id, body: encode(key) })

/** `KeyStore` in SQL. */
export const KeyStoreSql = {
  layer: Layer.effect(
    KeyStore,
    Effect.gen(function*() {
      const { query, transaction } = yield* Sql

      const find = (id: KeyId) =>
        query((db) => db.selectFrom("api_keys").select("body").where("key_id", "=", id).executeTakeFirst()).pipe(
          Effect.map(read)
        )

      const change = (id: KeyId, to: (key: ApiKey) => Option.Option<ApiKey>) =>
        find(id).pipe(
          Effect.map(Option.flatMap(to)),
          Effect.flatMap(Effect.transposeMapOption((key) =>
            query((db) => db.updateTable("api_keys").set(rowOf(key)).where("key_id", "=", id).execute())
          )),
          Effect.map(Option.isSome),
          transaction
        )

      return KeyStore.of({
        insert: (key) =>
          query((db) =>
            db.insertInto("api_keys").values(rowOf(key))
              .onConflict((conflict) => conflict.column("key_id").doNothing())
              .executeTakeFirst()
          ).pipe(Effect.map(({ numInsertedOrUpdatedRows = 0n }) => numInsertedOrUpdatedRows > 0n)),
        amend: (key) =>
          Effect.asVoid(
            change(key.key_id, ({ created_at, revoked_at }) =>
              Option.some(new ApiKey({ ...key, created_at, revoked_at })))
          ),
        findByPublicId: find,
        revoke: ({ account_id, at, key_id }) =>
          change(key_id, (key) =>
            key.account_id === account_id
              ? Option.some(new ApiKey({ ...key, revoked_at: key.revoked_at ?? at }))
              : Option.none()),
        list: (account) =>
          query((db) =>
            db.selectFrom("api_keys").select("body").where("account_id", "=", account).orderBy("key_id").execute()
          ).pipe(Effect.map((rows) => rows.map(({ body }) => decode(body))))
      })
    })
  )
}
