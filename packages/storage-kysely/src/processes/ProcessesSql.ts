import type { Processes } from "@trunkline/kernel"
import { Clock, Duration, Effect, type Scope } from "effect"
import { countTakeovers, heartbeatsPerLease, maintainOwnership } from "../ownership/OwnershipSql.js"
import { type Fence, makeFence, type Ownership } from "../sql/Ownership.js"
import { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"

/** Details of a process that joins the others. */
export interface JoiningProcess {
  /** The process, in a form for operators to read. */
  readonly name: string
  /** Tells this machine and its boot from all others; null where that is not possible. */
  readonly machine: string | null
  /** Number of the process on this machine. */
  readonly pid: number
  /** True if no process with this number runs on this machine. */
  readonly hasEnded: (pid: number) => boolean
  /** Time without a heartbeat after which the others take over its work. */
  readonly lease: Duration.Duration
}

/** A process on the same machine. */
interface Neighbour {
  readonly process_id: number
  readonly pid: number
}

/** A process that has joined the others. */
export interface JoinedProcess {
  /** The right of the process to write, for every connection of it. */
  readonly fence: Fence
  readonly ownership: Ownership.Service
  readonly processes: Processes.Service
}

/** The time of the database in epoch milliseconds, so that the clocks of machines do not matter. */
const now = "cast(extract(epoch from clock_timestamp()) * 1000 as double precision)"

const join = `
  insert into processes (name, machine, pid, beat_at, lease_millis) values (?, ?, ?, ${now}, ?)
  returning process_id
`
const beat = `update processes set beat_at = ${now} where process_id = ? returning process_id`
const leave = "delete from processes where process_id = ?"

const countLiving = `select count(*) as total from processes where beat_at + lease_millis >= ${now}`

const findNeighbours = "select process_id, pid from processes where machine = ? and process_id <> ?"

/** Start of the server in epoch milliseconds: nobody could write a heartbeat before. */
const serverStart = "cast(extract(epoch from pg_postmaster_start_time()) * 1000 as double precision)"

/**
 * Removes processes whose lease has run out, if that is asked for, and those given. A lease does not begin before the server. Whoever runs a transaction holds a lock on its own row, so
 * that none of them writes anything from then on; one that is still at it is left for the next time.
 */
const removeDead = ({ integerRows }: SqlDialect): string => `
  delete from processes where process_id in (
    select process_id from processes
    where process_id <> ?
      and (
        (cast(? as integer) = 1 and greatest(beat_at, ${serverStart}) + lease_millis < ${now})
        or process_id in (select value from ${integerRows("ended")})
      )
    for update skip locked
  ) returning name
`

/**
 * Joins the processes that share the database, whose heartbeats the given `Sql` writes by the database's clock, until the
 * scope ends. Others take over the work of this process when it has been silent for a lease, has left, or has ended on the
 * same machine; then it can no longer write.
 *
 * A process that could not write heartbeats itself gives the others a lease to write theirs before it takes them for silent:
 * the database may have been away for all of them.
 */
export const joinProcesses = (
  { hasEnded, lease, machine, name, pid }: JoiningProcess
): Effect.Effect<JoinedProcess, never, Sql | Scope.Scope> =>
  Effect.gen(function*() {
    const { dialect, execute } = yield* Sql
    const id = yield* Effect.acquireRelease(
      Effect.flatMap(
        execute<{ readonly process_id: number }>(join, [name, machine, pid, Duration.toMillis(lease)]),
        ({ rows: [row] }) =>
          row === undefined ? Effect.dieMessage("The database gave no number") : Effect.succeed(row.process_id)
      ),
      (id) => Effect.ignore(Effect.sandbox(execute(leave, [id])))
    )
    const fence = makeFence(id)
    const halfLease = Duration.times(lease, 1 / 2)
    let beatAt = yield* Clock.currentTimeNanos
    /** First heartbeat after a time without any; null when there has been none since this process has joined. */
    let backSince: bigint | null = null
    const heartbeat = Effect.zipWith(execute(beat, [id]), Clock.currentTimeNanos, ({ rows }, at) => {
      if (Duration.greaterThan(Duration.nanos(at - beatAt), halfLease)) backSince = at
      beatAt = at
      return rows.length > 0
    })
    /** Checks whether the others could write heartbeats for a lease, as far as this process can tell. */
    const knowsSilence = Effect.map(Clock.currentTimeNanos, (at) => {
      const isBeating = Duration.lessThanOrEqualTo(Duration.nanos(at - beatAt), halfLease)
      return isBeating && (backSince === null || Duration.greaterThan(Duration.nanos(at - backSince), lease))
    })
    const ownership = yield* maintainOwnership({ fence, lease, heartbeat })
    const pollEvery = Duration.times(lease, 1 / heartbeatsPerLease)

    const removeOthers = Effect.gen(function*() {
      const { rows: neighbours } = yield* execute<Neighbour>(findNeighbours, [machine, id])
      const deadIds = neighbours.filter((one) => hasEnded(one.pid)).map(({ process_id }) => process_id)
      const { rows } = yield* execute<{ readonly name: string }>(removeDead(dialect), [
        id,
        (yield* knowsSilence) ? 1 : 0,
        JSON.stringify(deadIds)
      ])
      countTakeovers(rows.length)
      for (const { name } of rows) yield* Effect.logWarning(`Process ${name} has ended, or been silent for too long`)
    })
    yield* removeOthers
    yield* removeOthers.pipe(
      Effect.catchAllDefect(() => Effect.void),
      Effect.delay(pollEvery),
      Effect.forever,
      Effect.forkScoped
    )
    const count = Effect.map(
      execute<{ readonly total: number }>(countLiving, []),
      ({ rows: [row] }) => row?.total ?? 1
    )
    const seek = Effect.catchAllDefect(removeOthers, () => Effect.void)
    return { fence, ownership, processes: { id, pollEvery, count, seek } }
  })
