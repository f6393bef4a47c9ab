import { Context, Effect, Layer } from "effect"
import { Sql } from "./sql/Sql.js"

/** Stores a mark at or ahead of business time, from which a restart goes on, so that time never moves backwards. */
export class BusinessWatermark extends Context.Tag("@trunkline/storage-kysely/BusinessWatermark")<BusinessWatermark, {
  /** The mark that was saved last, in milliseconds since 1970; null before the first one. */
  readonly load: Effect.Effect<number | null>
  /** Replaces the mark, whatever it was. */
  readonly save: (at: number) => Effect.Effect<void>
}>() {}

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
