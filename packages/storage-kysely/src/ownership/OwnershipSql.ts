import { describeCause, makeCounter, makeGauge } from "@trunkline/kernel"
import { DialLease } from "@trunkline/telephony"
import { Cause, Clock, Deferred, Duration, Effect, Layer, type Scope } from "effect"
import type { Kysely, Selectable } from "kysely"
import type { Database, OwnershipTable } from "../schema/Database.js"
import { breakFence, type Fence, makeFence, Ownership } from "../sql/Ownership.js"
import { sqlText } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import { sqliteSql } from "../sql/SqlDialect.js"

/** The owner of an SQLite database, as the database records it. */
export type OwnershipRecord = Selectable<OwnershipTable>

/** The details of a new owner. */
export interface OwnershipClaim extends Pick<OwnershipRecord, "lock" | "owner"> {
  readonly lease: Duration.Duration
}

/** Heartbeats per lease; late or lost ones are harmless up to the last. */
export const heartbeatsPerLease = 6

/** Checks on a silent owner per lease. */
const checksPerLease = 20

/** Reads the owner of a database of any version; undefined when it has never had one. */
export const readOwnership = async (db: Kysely<Database>): Promise<OwnershipRecord | undefined> => {
  const { rows: [table] } = await sqlText(sqliteSql.tableExists, "ownership").execute(db)
  if (table === undefined) return undefined
  return db.selectFrom("ownership").selectAll().executeTakeFirst()
}

const isSame = (one: OwnershipRecord | undefined, other: OwnershipRecord | undefined) =>
  one?.fence === other?.fence && one?.beat === other?.beat

/** Becomes the owner; null when the ownership has changed since it was read. */
export const takeOwnership = (
  { lease, lock, owner }: OwnershipClaim,
  previous: OwnershipRecord | undefined
): Effect.Effect<Fence | null, never, Sql> =>
  Effect.gen(function*() {
    const { query, transaction } = yield* Sql
    const beat_at = yield* Clock.currentTimeMillis
    return yield* transaction(query(async (db) => {
      if (!isSame(await readOwnership(db), previous)) return null
      const fence = (previous?.fence ?? 0) + 1
      const record = { owner, lock, fence, beat: 0, beat_at, lease_millis: Duration.toMillis(lease) }
      await db.insertInto("ownership").values({ id: 1, ...record })
        .onConflict((former) => former.column("id").doUpdateSet(record))
        .execute()
      return makeFence(fence)
    }))
  })

/** Checks whether the owner wrote a heartbeat less than a lease ago, by the wall clock. */
export const isLeaseCurrent = ({ beat_at, lease_millis }: OwnershipRecord): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => now >= beat_at && now - beat_at < lease_millis)

/**
 * Watches an owner for a whole lease, measured by the monotonic nanoseconds of the Clock. True when it wrote no heartbeat
 * in that time.
 */
export const isOwnerSilent = (record: OwnershipRecord): Effect.Effect<boolean, never, Sql> =>
  Effect.gen(function*() {
    const { query } = yield* Sql
    const lease = Duration.millis(record.lease_millis)
    const isUnchanged = Effect.map(query(readOwnership), (now) => isSame(now, record))
    const began = yield* Clock.currentTimeNanos
    const isOver = Effect.map(
      Clock.currentTimeNanos,
      (now) => Duration.greaterThanOrEqualTo(Duration.nanos(now - began), lease)
    )
    const watch: Effect.Effect<boolean> = Effect.sleep(Duration.times(lease, 1 / checksPerLease)).pipe(
      Effect.zipRight(Effect.all([isOver, isUnchanged])),
      Effect.flatMap(([over, unchanged]) => over || !unchanged ? Effect.succeed(unchanged) : watch)
    )
    return yield* watch
  })

const leaseRenewal = makeGauge({
  name: "trunkline_lease_renewed_timestamp_seconds",
  help: "Time of the last heartbeat with which this process keeps its lease, in seconds since 1970"
})

const leaseLength = makeGauge({
  name: "trunkline_lease_seconds",
  help: "Time without a heartbeat after which another process may take over from this one"
})

const leasesLost = makeCounter({
  name: "trunkline_leases_lost_total",
  help: "Leases of this process that another one has taken over"
})

const takeovers = makeCounter({
  name: "trunkline_leases_taken_over_total",
  help: "Leases that this process took from others that were silent or gone"
})

/** Counts leases that this process has taken over. */
export const countTakeovers = (count: number): void => takeovers.add(count)

/** Heartbeats of an owner. */
interface Heartbeats {
  readonly fence: Fence
  readonly lease: Duration.Duration
  /** Writes a heartbeat; false when another process has taken over. */
  readonly heartbeat: Effect.Effect<boolean>
}

/** The heartbeat of the only owner of a database. The database must have the same fence, so that it shuts former owners out. */
export const ownerHeartbeat: Effect.Effect<Effect.Effect<boolean>, never, Sql> = Effect.map(
  Sql,
  ({ query }) =>
    Effect.flatMap(Effect.clock, (clock) =>
      query((db) =>
        db.updateTable("ownership")
          .set((now) => ({ beat: now("beat", "+", 1), beat_at: clock.unsafeCurrentTimeMillis() }))
          .execute()
      )).pipe(Effect.as(true))
)

/** Writes heartbeats while the scope is open, the first one at once. */
export const maintainOwnership = (
  { fence, heartbeat, lease }: Heartbeats
): Effect.Effect<Ownership.Service, never, Scope.Scope> =>
  Effect.gen(function*() {
    const clock = yield* Effect.clock
    const halfLease = Duration.times(lease, 1 / 2)
    let beatAt = clock.unsafeCurrentTimeNanos()

    /** Takes the time before the write, so that readers of the heartbeat never see it as older than this process does. */
    const beat = Effect.suspend(() => {
      const at = clock.unsafeCurrentTimeNanos()
      return Effect.map(heartbeat, (isOurs) => {
        if (isOurs) {
          beatAt = at
          leaseRenewal.set(clock.unsafeCurrentTimeMillis() / 1_000)
        } else breakFence(fence)
      })
    })
    const isFresh = Effect.sync(() =>
      Duration.lessThan(Duration.nanos(clock.unsafeCurrentTimeNanos() - beatAt), halfLease)
    )
    const isWritten = Effect.catchAllDefect(Effect.zipRight(beat, isFresh), () => Effect.succeed(false))

    leaseLength.set(Duration.toSeconds(lease))
    yield* beat
    yield* beat.pipe(
      Effect.catchAllDefect((defect) =>
        Effect.logError("The heartbeat of the database owner could not be written", describeCause(Cause.die(defect)))
      ),
      Effect.delay(Duration.times(lease, 1 / heartbeatsPerLease)),
      Effect.forever,
      Effect.raceFirst(Effect.map(Deferred.await(fence.breach), () => leasesLost.add(1))),
      Effect.forkScoped
    )
    return {
      fence,
      isSafe: Effect.if(isFresh, { onTrue: () => Effect.succeed(true), onFalse: () => isWritten }),
      lost: Deferred.await(fence.breach)
    }
  })

/**
 * `DialLease` by the ownership of the database: a dial has half a lease. With the usual 30 seconds that is 15 seconds: 10
 * for the provider to respond, and 5 to spare.
 */
export const DialLeaseSql = {
  layer: Layer.effect(DialLease, Effect.map(Ownership, ({ isSafe }) => DialLease.of({ mayDial: isSafe })))
}
