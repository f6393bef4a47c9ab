import { type Asked, type Bucket, BucketStore, takeFromAll } from "@trunkline/rate-limits"
import { Array, Clock, Effect, Layer } from "effect"
import { type Kysely, sql, type SqlBool } from "kysely"
import type { Database } from "./Database.js"
import { Sql } from "./Sql.js"

/** Rows of full buckets that every row written takes away, so that the table follows what is not full. */
const sweptPerRow = 2

/** The row of each bucket. */
const rowsOf = (buckets: ReadonlyArray<Bucket>) => {
  const places = buckets.map(({ name, owner }) => sql`(${owner}, ${name})`)
  return sql<SqlBool>`(owner, name) in (values ${sql.join(places)})`
}

const take = async (
  db: Kysely<Database>,
  buckets: Parameters<typeof BucketStore.Service["take"]>[0],
  asked: Asked
) => {
  const stored = await db.selectFrom("buckets").selectAll().where(rowsOf(buckets)).execute()
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
 * `BucketStore` in SQL, by Effect's Clock: for processes of one machine that share a file. Taking joins the running
 * transaction, and is undone with it.
 */
export const BucketStoreSql = {
  layer: Layer.effect(
    BucketStore,
    Effect.map(Sql, ({ query, transaction }) =>
      BucketStore.of({
        take: (buckets, cost) =>
          Clock.currentTimeMillis.pipe(
            Effect.flatMap((now) => query((db) => take(db, buckets, { at: Math.floor(now * 1000), cost }))),
            transaction
          )
      }))
  )
}
