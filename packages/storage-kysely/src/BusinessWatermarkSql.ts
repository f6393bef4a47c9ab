import { Effect, Layer } from "effect"
import { BusinessWatermark } from "./BusinessWatermark.js"
import { Sql } from "./Sql.js"

const key = "business_time"

/** `BusinessWatermark` in SQL. */
export const BusinessWatermarkSql = {
  layer: Layer.effect(
    BusinessWatermark,
    Effect.map(Sql, ({ query }) =>
      BusinessWatermark.of({
        load: query((db) => db.selectFrom("engine_state").select("value").where("key", "=", key).executeTakeFirst())
          .pipe(Effect.map((row) => row?.value ?? null)),
        save: (value) =>
          query((db) =>
            db.insertInto("engine_state").values({ key, value })
              .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
              .execute()
          ).pipe(Effect.asVoid)
      }))
  )
}
