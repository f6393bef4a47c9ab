import { Bus, type BusMember, makeBusMember } from "@trunkline/kernel"
import { Effect, FiberSet, Layer, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import pg from "pg"
import type { PostgresOptions } from "./PostgresOptions.js"
import { machineClock } from "./PostgresRetries.js"

/** Channel of the hints; PostgreSQL keeps those of different databases apart. */
const channel = "trunkline"

/** Time to wait for a new connection and for the answer to a statement, and the first and the longest pause between two. */
const answerMillis = 5_000
const firstPause = 50
const maxPause = 2_000

/** Time after which the connection is asked for a sign of life. */
const probeInterval = "5 seconds"

const notify = `select pg_notify('${channel}', hint) from unnest($1::text[]) as hint`

/** A connection that listens; `lost` completes once it has ended. */
interface Listening {
  readonly client: pg.Client
  readonly lost: Effect.Effect<void>
}

const run = (client: pg.Client, text: string, values: ReadonlyArray<unknown> = []): Effect.Effect<boolean> =>
  Effect.promise(() => client.query(text, [...values]).then(() => true, () => false))

/** Connects and listens until the scope ends; null when there is no connection. */
const listen = (
  { applicationName = "trunkline", url }: PostgresOptions,
  receive: BusMember["receive"]
): Effect.Effect<Listening | null, never, Scope.Scope> =>
  Effect.gen(function*() {
    const endedLatch = Effect.unsafeMakeLatch(false)
    const client = yield* Effect.acquireRelease(
      Effect.sync(() =>
        new pg.Client({
          connectionString: url,
          application_name: `${applicationName} bus`,
          connectionTimeoutMillis: answerMillis,
          query_timeout: answerMillis,
          keepAlive: true
        })
      ),
      // A server that does not answer does not take part in the goodbye either.
      (client) =>
        Effect.promise(() => client.end().catch(() => undefined)).pipe(
          Effect.interruptible,
          Effect.timeoutOption(answerMillis)
        )
    )
    client.on("error", () => endedLatch.unsafeOpen()).on("end", () => endedLatch.unsafeOpen())
    client.on("notification", ({ payload = "" }) => receive(payload))
    const isOpen = yield* Effect.promise(() => client.connect().then(() => true, () => false))
    if (!isOpen || !(yield* run(client, `listen ${channel}`))) return null
    const probes = Effect.sleep(probeInterval).pipe(
      Effect.zipRight(run(client, "select 1")),
      Effect.repeat({ while: (isAlive) => isAlive })
    )
    return { client, lost: Effect.raceFirst(endedLatch.await, probes).pipe(Effect.asVoid) }
  })

/** Keeps a connection, and sends hints while there is one. `tried` completes after the first attempt. */
const connect = (options: PostgresOptions, member: BusMember) =>
  Effect.gen(function*() {
    const attemptLatch = yield* Effect.makeLatch(false)
    const ready = yield* Effect.makeLatch(false)
    let current: pg.Client | null = null

    const attempt = Effect.scoped(Effect.gen(function*() {
      const listening = yield* listen(options, member.receive)
      yield* attemptLatch.open
      if (listening === null) return false
      current = listening.client
      yield* ready.open
      member.onConnected()
      yield* listening.lost
      current = null
      yield* ready.close
      return true
    }))
    const keep = (pause: number): Effect.Effect<never> =>
      Effect.flatMap(attempt, (wasOpen) => {
        const next = wasOpen ? firstPause : pause
        return Effect.zipRight(Effect.sleep(next), keep(Math.min(next * 2, maxPause)))
      })

    const fork = yield* FiberSet.makeRuntime<never>()
    fork(keep(firstPause).pipe(Effect.withClock(machineClock)))
    fork(
      member.sendOver({
        ready: ready.await,
        send: (texts) => current === null ? Effect.succeed(false) : run(current, notify, [texts])
      }).pipe(Effect.withClock(machineClock))
    )
    yield* attemptLatch.await
  })

/**
 * `Bus` over `LISTEN` and `NOTIFY` of a PostgreSQL database: no other server is needed.
 *
 * @example
 * ```ts
 * const bus = BusPostgres.layer({ url: "postgres://localhost/trunkline" })
 * ```
 */
export const BusPostgres = {
  /**
   * The bus of the processes that use a database, on a connection of its own beside those of the stores. Hints are sent
   * outside of transactions, every 10 ms at most. A lost connection is made again after 50 ms to 2 s; a silent one is found
   * within 10 s. Never fails: while there is no connection, processes only learn by polling.
   */
  layer: (options: PostgresOptions): Layer.Layer<Bus> =>
    Layer.scoped(
      Bus,
      Effect.gen(function*() {
        const member = makeBusMember(randomUUID())
        yield* connect(options, member)
        return member.bus
      })
    )
}
