import { Context, Effect, Layer } from "effect"
import { Sql } from "../sql/Sql.js"

/** Settings of a database that the first process which uses it decides for all. */
export class Settings extends Context.Tag("@trunkline/storage-kysely/Settings")<Settings, {
  /** Stores a value, unless the key has one; returns the stored one. */
  readonly keep: (key: string, value: string) => Effect.Effect<string>
}>() {}

/** `Settings` in SQL. */
export const SettingsSql = {
  layer: Layer.effect(
    Settings,
    Effect.map(Sql, ({ query }) =>
      Settings.of({
        keep: (key, value) =>
          query(async (db) => {
            await db.insertInto("settings").values({ key, value })
              .onConflict((conflict) => conflict.column("key").doNothing())
              .execute()
            const row = await db.selectFrom("settings").select("value").where("key", "=", key).executeTakeFirst()
            return row?.value ?? value
          })
      }))
  )
}
