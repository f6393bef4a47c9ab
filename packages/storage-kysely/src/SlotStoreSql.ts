import { type Slot, SlotStore } from "@trunkline/rate-limits"
import { Clock, Effect, Layer } from "effect"
import { type Kysely, sql, type SqlBool } from "kysely"
import type { Database } from "./Database.js"
import { Sql } from "./Sql.js"

/** Places that have come free by themselves and that every new one takes away. */
const sweptPerPlace = 2

const takenOf = (db: Kysely<Database>, { name, owner }: Pick<Slot, "owner" | "name">, now: number) =>
  db.selectFrom("slots").where((is) => is.and({ owner, name })).where("expires_at", ">", now)

const countOf = async (db: Kysely<Database>, slots: Pick<Slot, "owner" | "name">, now: number) => {
  const count = takenOf(db, slots, now).select((of) => of.fn.countAll<number>().as("taken"))
  return (await count.executeTakeFirstOrThrow()).taken
}

const hold = async (
  db: Kysely<Database>,
  { holder, name, owner }: Slot,
  { limit, now, ttl }: { readonly limit: number; readonly ttl: number; readonly now: number }
) => {
  const place = { owner, name, holder }
  const held = await takenOf(db, place, now).select("holder").where("holder", "=", holder).executeTakeFirst()
  if (held === undefined && await countOf(db, place, now) >= limit) return false
  const expires_at = now + ttl
  await db.insertInto("slots").values({ ...place, expires_at })
    .onConflict((conflict) => conflict.columns(["owner", "name", "holder"]).doUpdateSet({ expires_at }))
    .execute()
  if (held !== undefined) return true
  const swept = db.selectFrom("slots").select(["owner", "name", "holder"])
    .where("expires_at", "<=", now)
    .orderBy("expires_at")
    .limit(sweptPerPlace)
  await db.deleteFrom("slots").where(sql<SqlBool>`(owner, name, holder) in ${swept}`).execute()
  return true
}

/**
 * `SlotStore` in SQL, by Effect's Clock: for processes of one machine that share a file. Every call joins the running
 * transaction, and is undone with it.
 */
export const SlotStoreSql = {
  layer: Layer.effect(
    SlotStore,
    Effect.map(Sql, ({ query, transaction }) =>
      SlotStore.of({
        hold: (slot, terms) =>
          Clock.currentTimeMillis.pipe(
            Effect.flatMap((now) => query((db) => hold(db, slot, { ...terms, now }))),
            transaction
          ),
        release: ({ holder, name, owner }) =>
          query((db) => db.deleteFrom("slots").where((is) => is.and({ owner, name, holder })).execute()).pipe(
            Effect.asVoid
          ),
        held: (slots) => Effect.flatMap(Clock.currentTimeMillis, (now) => query((db) => countOf(db, slots, now)))
      }))
  )
}
