import { RetiredSecrets, RetiredSecretStore } from "@trunkline/webhooks"
import { Effect, Layer } from "effect"
import { bodyOf, columnsOf } from "./Rows.js"
import { Sql } from "./Sql.js"

const { encode, read } = bodyOf(RetiredSecrets)

/** `RetiredSecretStore` in SQL. */
export const RetiredSecretsSql = {
  layer: Layer.effect(
    RetiredSecretStore,
    Effect.gen(function*() {
      const { query } = yield* Sql
      return RetiredSecretStore.of({
        find: (scope, { id, kind }) =>
          query((db) =>
            db.selectFrom("webhook_secrets").select("body")
              .where((is) => is.and({ ...columnsOf(scope), owner_kind: kind, owner_id: id }))
              .executeTakeFirst()
          ).pipe(Effect.map(read)),
        put: (scope, { id, kind }, retired) =>
          query((db) =>
            db.insertInto("webhook_secrets")
              .values({ ...columnsOf(scope), owner_kind: kind, owner_id: id, body: encode(retired) })
              .onConflict((conflict) =>
                conflict.columns(["org_id", "workspace_id", "owner_kind", "owner_id"])
                  .doUpdateSet({ body: encode(retired) })
              )
              .execute()
          ).pipe(Effect.asVoid)
      })
    })
  )
}
