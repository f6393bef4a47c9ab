import { describeCause } from "@trunkline/kernel"
import { Cause, Clock, Deferred, Duration, Effect, type Scope } from "effect"
import { type Kysely, type Selectable, sql } from "kysely"
import type { Database } from "./Database.js"
import { type Fence, makeFence } from "./Fence.js"
import type { Ownership } from "./Ownership.js"
import type { OwnershipTable } from "./OwnershipTable.js"
import { Sql } from "./Sql.js"

/** How a database is owned, as everybody can read in it. */
export type Holding = Selectable<OwnershipTable>

/** What an owner says of itself. */
export interface Claim extends Pick<Holding, "lock" | "owner"> {
  readonly lease: Duration.Duration
}

/** Beats in a lease: one that comes late, or not at all, costs nothing. */
const beatsPerLease = 6

/** Looks at a silent owner in a lease. */
const looksPerLease = 20

/** How the database is owned; undefined when it never was. It may be of any version, or empty. */
export const holdingOf = async (db: Kysely<Database>): Promise<Holding | undefined> => {
  const { rows: [table] } = await sql`select 1 from sqlite_schema where name = 'ownership'`.execute(db)
  return table === undefined ? undefined : db.selectFrom("ownership").selectAll().executeTakeFirst()
}

const isSame = (one: Holding | undefined, other: Holding | undefined) =>
  one?.fence === other?.fence && one?.beat === other?.beat

/** Becomes the owner, unless anything has happened to the ownership since it was seen so; null then. */
export const takeOwnership = (
  { lease, lock, owner }: Claim,
  seen: Holding | undefined
): Effect.Effect<Fence | null, never, Sql> =>
  Effect.gen(function*() {
    const { query, transaction } = yield* Sql
    const beat_at = yield* Clock.currentTimeMillis
    return yield* transaction(query(async (db) => {
      if (!isSame(await holdingOf(db), seen)) return null
      const fence = (seen?.fence ?? 0) + 1
      await db.replaceInto("ownership")
        .values({ id: 1, owner, lock, fence, beat: 0, beat_at, lease_millis: Duration.toMillis(lease) })
        .execute()
      return makeFence(fence)
    }))
  })

/** Whether the owner was there less than a lease ago, if the wall clock is right. */
export const seemsThere = ({ beat_at, lease_millis }: Holding): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => now >= beat_at && now - beat_at < lease_millis)

/**
 * Watches an owner for a whole lease by the Clock's nanoseconds, which nobody sets: true when it was silent all the
 * time.
 */
export const isSilent = (seen: Holding): Effect.Effect<boolean, never, Sql> =>
  Effect.gen(function*() {
    const { query } = yield* Sql
    const lease = Duration.millis(seen.lease_millis)
    const isUnchanged = Effect.map(query(holdingOf), (now) => isSame(now, seen))
    const began = yield* Clock.currentTimeNanos
    const isOver = Effect.map(
      Clock.currentTimeNanos,
      (now) => Duration.greaterThanOrEqualTo(Duration.nanos(now - began), lease)
    )
    const watch: Effect.Effect<boolean> = Effect.sleep(Duration.times(lease, 1 / looksPerLease)).pipe(
      Effect.zipRight(Effect.all([isOver, isUnchanged])),
      Effect.flatMap(([over, unchanged]) => over || !unchanged ? Effect.succeed(unchanged) : watch)
    )
    return yield* watch
  })

/** Beats for as long as the scope is open, in a database with the same fence, beginning with a first beat. */
export const keepOwnership = (
  { fence, lease }: { readonly fence: Fence; readonly lease: Duration.Duration }
): Effect.Effect<Ownership.Service, never, Sql | Scope.Scope> =>
  Effect.gen(function*() {
    const { query } = yield* Sql
    const clock = yield* Effect.clock
    const halfALease = Duration.times(lease, 1 / 2)
    let beatAt = clock.unsafeCurrentTimeNanos()

    /** Counts from before it is written: by whoever reads it, it was there later. */
    const beat = Effect.suspend(() => {
      const at = clock.unsafeCurrentTimeNanos()
      return Effect.tap(
        query((db) =>
          db.updateTable("ownership")
            .set((now) => ({ beat: now("beat", "+", 1), beat_at: clock.unsafeCurrentTimeMillis() }))
            .execute()
        ),
        () => Effect.sync(() => beatAt = at)
      )
    })
    const isFresh = Effect.sync(() =>
      Duration.lessThan(Duration.nanos(clock.unsafeCurrentTimeNanos() - beatAt), halfALease)
    )
    const isWritten = Effect.catchAllDefect(Effect.as(beat, true), () => Effect.succeed(false))

    yield* beat
    yield* beat.pipe(
      Effect.catchAllDefect((defect) =>
        Effect.logError("This process could not say that it is there", describeCause(Cause.die(defect)))
      ),
      Effect.delay(Duration.times(lease, 1 / beatsPerLease)),
      Effect.forever,
      Effect.raceFirst(Deferred.await(fence.broken)),
      Effect.forkScoped
    )
    return {
      fence,
      isSafe: Effect.if(isFresh, { onTrue: () => Effect.succeed(true), onFalse: () => isWritten }),
      lost: Deferred.await(fence.broken)
    }
  })
