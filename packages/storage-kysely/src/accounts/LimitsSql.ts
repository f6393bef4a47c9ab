import { type Bucket, BucketStore, type Slot, SlotStore, takeFromAll, type TakeRequest } from "@trunkline/rate-limits"
import { Array, Clock, Effect, Layer } from "effect"
import { type Kysely, sql, type SqlBool } from "kysely"
import type { Database } from "../schema/Database.js"
import { lockName } from "../sql/NamedLock.js"
import { Sql } from "../sql/Sql.js"

/** Rows of full buckets deleted per row written, so that the table holds little more than the buckets in use. */
const sweptPerRow = 2

/** Matches the rows of these buckets. */
const matchesBuckets = (buckets: ReadonlyArray<Bucket>) => {
  const keys = buckets.map(({ name, owner }) => sql`(${owner}, ${name})`)
  return sql<SqlBool>`(owner, name) in (values ${sql.join(keys)})`
}

const take = async (
  db: Kysely<Database>,
  buckets: Parameters<typeof BucketStore.Service["take"]>[0],
  asked: TakeRequest
) => {
  const stored = await db.selectFrom("buckets").selectAll().where(matchesBuckets(buckets)).execute()
  const levels = Array.map(buckets, (bucket) => {
    const row = stored.find(({ name, owner }) => name === bucket.name && owner === bucket.owner)
    return { ...bucket, full: row?.full_at ?? 0, before: row?.full_at }
  })
  const taken = takeFromAll(levels, asked)
  const changed = levels.filter(({ before, full }) => full > asked.at && full !== before)
  if (changed.length === 0) return taken
  await db.insertInto("buckets")
    .values(changed.map(({ full, name, owner }) => ({ owner, name, full_at: full })))
    .onConflict((conflict) =>
      conflict.columns(["owner", "name"]).doUpdateSet((row) => ({ full_at: row.ref("excluded.full_at") }))
    )
    .execute()
  const swept = db.selectFrom("buckets").select(["owner", "name"])
    .where("full_at", "<=", asked.at)
    .orderBy("full_at")
    .limit(changed.length * sweptPerRow)
  await db.deleteFrom("buckets").where(sql<SqlBool>`(owner, name) in ${swept}`).execute()
  return taken
}

/**
 * `BucketStore` in SQL, for processes of one machine that share a file. Time is Effect's Clock. Taking joins the running
 * transaction, and is rolled back with it.
 */
export const BucketStoreSql = {
  layer: Layer.effect(
    BucketStore,
    Effect.map(Sql, ({ dialect, query, transaction }) =>
      BucketStore.of({
        take: (buckets, cost) =>
          Clock.currentTimeMillis.pipe(
            Effect.flatMap((now) =>
              query(async (db) => {
                const names = buckets.map(({ name, owner }) => JSON.stringify(["bucket", owner, name]))
                for (const name of names.sort()) await lockName(db, dialect, name)
                return take(db, buckets, { at: Math.floor(now * 1000), cost })
              })
            ),
            transaction
          ),
        takeNow: () => undefined
      }))
  )
}

/** Expired slots deleted per new slot. */
const sweptPerSlot = 2

const takenSlots = (db: Kysely<Database>, { name, owner }: Pick<Slot, "owner" | "name">, now: number) =>
  db.selectFrom("slots").where((is) => is.and({ owner, name })).where("expires_at", ">", now)

const countTaken = async (db: Kysely<Database>, slots: Pick<Slot, "owner" | "name">, now: number) => {
  const count = takenSlots(db, slots, now).select((of) => of.fn.countAll<number>().as("taken"))
  return (await count.executeTakeFirstOrThrow()).taken
}

const hold = async (
  db: Kysely<Database>,
  { holder, name, owner }: Slot,
  { limit, now, ttl }: { readonly limit: number; readonly ttl: number; readonly now: number }
) => {
  const slot = { owner, name, holder }
  const held = await takenSlots(db, slot, now).select("holder").where("holder", "=", holder).executeTakeFirst()
  if (held === undefined && await countTaken(db, slot, now) >= limit) return false
  const expires_at = now + ttl
  await db.insertInto("slots").values({ ...slot, expires_at })
    .onConflict((conflict) => conflict.columns(["owner", "name", "holder"]).doUpdateSet({ expires_at }))
    .execute()
  if (held !== undefined) return true
  const swept = db.selectFrom("slots").select(["owner", "name", "holder"])
    .where("expires_at", "<=", now)
    .orderBy("expires_at")
    .limit(sweptPerSlot)
  await db.deleteFrom("slots").where(sql<SqlBool>`(owner, name, holder) in ${swept}`).execute()
  return true
}

/**
 * `SlotStore` in SQL, for processes of one machine that share a file. Time is Effect's Clock. Every call joins the running
 * transaction, and is rolled back with it.
 */
export const SlotStoreSql = {
  layer: Layer.effect(
    SlotStore,
    Effect.map(Sql, ({ dialect, query, transaction }) =>
      SlotStore.of({
        hold: (slot, terms) =>
          Clock.currentTimeMillis.pipe(
            Effect.flatMap((now) =>
              query(async (db) => {
                await lockName(db, dialect, JSON.stringify(["slots", slot.owner, slot.name]))
                return hold(db, slot, { ...terms, now })
              })
            ),
            transaction
          ),
        release: ({ holder, name, owner }) =>
          query((db) => db.deleteFrom("slots").where((is) => is.and({ owner, name, holder })).execute()).pipe(
            Effect.asVoid
          ),
        held: (slots) => Effect.flatMap(Clock.currentTimeMillis, (now) => query((db) => countTaken(db, slots, now)))
      }))
  )
}

/**
 * The stores of rate limits in a migrated database, for several processes of one machine that share it. A single process
 * is better served by `BucketStore.layerMemory` and `SlotStore.layerMemory`.
 */
export const LimitsSql = {
  layer: Layer.merge(BucketStoreSql.layer, SlotStoreSql.layer)
}

/** The services that `LimitsSql` provides. */
export type Limits = Layer.Layer.Success<typeof LimitsSql.layer>
