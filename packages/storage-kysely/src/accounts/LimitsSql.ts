import {
  type Bucket,
  BucketStore,
  type Slot,
  SlotStore,
  takeFromAll,
  type TakeRequest,
  type TakeResult
} from "@trunkline/rate-limits"
import { Array, Clock, Effect, Layer } from "effect"
import { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { type SqlStatement, statement, type Statements, together } from "../sql/Statement.js"

/** Statements that exclude the transactions which use the same names. */
const lockNames = ({ lockName }: SqlDialect, names: ReadonlyArray<ReadonlyArray<string>>) =>
  lockName === null ? [] : names.map((name) => JSON.stringify(name)).sort().map((name) => statement(lockName, [name]))

/** A lost count only admits what it would have refused, so that no commit waits for the disk. */
const lossy = { durable: false }

interface BucketRow {
  readonly owner: string
  readonly name: string
  readonly full_at: number
}

/** Rows of full buckets deleted per row written, so that the table holds little more than the buckets in use. */
const sweptPerRow = 2

const storeBucket = ({ full, name, owner }: { readonly owner: string; readonly name: string; readonly full: number }) =>
  statement(
    `insert into buckets (owner, name, full_at) values (?, ?, ?)
      on conflict (owner, name) do update set full_at = excluded.full_at`,
    [owner, name, full]
  )

const sweepBuckets = ({ skipLocked }: SqlDialect, at: number, max: number) =>
  statement(
    `delete from buckets where (owner, name) in (
      select owner, name from buckets where full_at <= ? order by full_at limit ? ${skipLocked}
    )`,
    [at, max]
  )

const readBuckets = (buckets: ReadonlyArray<Bucket>) =>
  statement<BucketRow>(
    `select owner, name, full_at from buckets
      where (owner, name) in (values ${buckets.map(() => "(?, ?)").join(", ")})`,
    buckets.flatMap(({ name, owner }) => [owner, name])
  )

function* take(
  dialect: SqlDialect,
  buckets: Parameters<typeof BucketStore.Service["take"]>[0],
  request: TakeRequest
): Statements<TakeResult> {
  const storedStatement = readBuckets(buckets)
  yield* together<unknown>([
    ...lockNames(dialect, buckets.map(({ name, owner }) => ["bucket", owner, name])),
    storedStatement
  ])
  const levels = Array.map(buckets, (bucket) => {
    const row = storedStatement.result.rows.find(({ name, owner }) => name === bucket.name && owner === bucket.owner)
    return { ...bucket, full: row?.full_at ?? 0, before: row?.full_at }
  })
  const result = takeFromAll(levels, request)
  const changes = levels.filter(({ before, full }) => full > request.at && full !== before)
  if (changes.length === 0) return result
  yield* together([...changes.map(storeBucket), sweepBuckets(dialect, request.at, changes.length * sweptPerRow)])
  return result
}

/**
 * `BucketStore` in SQL, for processes that share a database or a file. Time is Effect's Clock, so that a process whose clock
 * is ahead of the others by a second admits what refills in one second more. Taking joins the running transaction, and is
 * rolled back with it.
 */
export const BucketStoreSql = {
  layer: Layer.effect(
    BucketStore,
    Effect.map(Sql, ({ dialect, statements }) =>
      BucketStore.of({
        take: (buckets, cost) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            statements(() => take(dialect, buckets, { at: Math.floor(now * 1000), cost }), lossy)),
        takeNow: () =>
          undefined
      }))
  )
}

type SlotGroup = Pick<Slot, "owner" | "name">

/** Expired slots deleted per new slot. */
const sweptPerSlot = 2

const countTaken = ({ name, owner }: SlotGroup, now: number) =>
  statement<{ readonly taken: number }>(
    "select count(*) as taken from slots where owner = ? and name = ? and expires_at > ?",
    [owner, name, now]
  )

const findSlot = ({ holder, name, owner }: Slot, now: number) =>
  statement<{ readonly holder: string }>(
    "select holder from slots where owner = ? and name = ? and holder = ? and expires_at > ?",
    [owner, name, holder, now]
  )

const storeSlot = ({ holder, name, owner }: Slot, expiresAt: number) =>
  statement(
    `insert into slots (owner, name, holder, expires_at) values (?, ?, ?, ?)
      on conflict (owner, name, holder) do update set expires_at = excluded.expires_at`,
    [owner, name, holder, expiresAt]
  )

const sweepSlots = ({ skipLocked }: SqlDialect, now: number) =>
  statement(
    `delete from slots where (owner, name, holder) in (
      select owner, name, holder from slots where expires_at <= ? order by expires_at limit ? ${skipLocked}
    )`,
    [now, sweptPerSlot]
  )

const takenIn = (count: SqlStatement<{ readonly taken: number }>): number => count.result.rows[0]?.taken ?? 0

function* hold(
  dialect: SqlDialect,
  slot: Slot,
  { limit, now, ttl }: { readonly limit: number; readonly ttl: number; readonly now: number }
): Statements<boolean> {
  const [heldCount, count] = [findSlot(slot, now), countTaken(slot, now)]
  yield* together<unknown>([...lockNames(dialect, [["slots", slot.owner, slot.name]]), heldCount, count])
  const isHeld = heldCount.result.rows.length > 0
  if (!isHeld && takenIn(count) >= limit) return false
  const store = storeSlot(slot, now + ttl)
  yield* together(isHeld ? [store] : [store, sweepSlots(dialect, now)])
  return true
}

function* countHeld(slots: SlotGroup, now: number): Statements<number> {
  const count = countTaken(slots, now)
  yield* count
  return takenIn(count)
}

function* release({ holder, name, owner }: Slot): Statements<void> {
  yield* statement("delete from slots where owner = ? and name = ? and holder = ?", [owner, name, holder])
}

/**
 * `SlotStore` in SQL, for processes that share a database or a file. Time is Effect's Clock. Every call joins the running
 * transaction, and is rolled back with it.
 */
export const SlotStoreSql = {
  layer: Layer.effect(
    SlotStore,
    Effect.map(Sql, ({ dialect, statements }) =>
      SlotStore.of({
        hold: (slot, terms) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            statements(() => hold(dialect, slot, { ...terms, now }), lossy)),
        release: (slot) =>
          statements(() => release(slot), lossy),
        countHeld: (slots) => Effect.flatMap(Clock.currentTimeMillis, (now) => statements(() => countHeld(slots, now)))
      }))
  )
}

/**
 * The stores of rate limits in a migrated database, for several processes that share it. A single process is better served
 * by `BucketStore.layerMemory` and `SlotStore.layerMemory`, and many requests by Redis.
 */
export const LimitsSql = {
  layer: Layer.merge(BucketStoreSql.layer, SlotStoreSql.layer)
}

/** The services that `LimitsSql` provides. */
export type LimitStores = Layer.Layer.Success<typeof LimitsSql.layer>
