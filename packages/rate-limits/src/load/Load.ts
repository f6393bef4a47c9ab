import { Overloaded } from "@trunkline/errors"
import { Transactions } from "@trunkline/kernel"
import { Context, Duration, Effect, identity, Layer } from "effect"
import { loopLag } from "./LoopLag.js"

/**
 * How much a request matters when there is not time for all, least first: uploads and downloads of files, lists and
 * records, conversations with models, and what phone calls depend on. Calls are never shed.
 */
export type Importance = "batch" | "records" | "conversation" | "calls"

/** The pressure from which requests of each importance are refused: 1 is where the limits of `LoadLimits` are reached. */
const refusedFrom: Readonly<Record<Importance, number>> = {
  batch: 1,
  records: 1.5,
  conversation: 2,
  calls: Infinity
}

/** Where shedding begins. */
export interface LoadLimits {
  /** How late the event loop may be, by the 99th percentile of the last five seconds; default 100 ms (reliability 2.3). */
  readonly lag?: Duration.DurationInput
  /** How many requests may be worked on at once; default 500. */
  readonly inFlight?: number
  /** How many may wait for their turn with the stores; default 200. */
  readonly waiting?: number
}

/** What is told to those who are refused: as long as the event loop's lateness is remembered. */
const retryAfter = Duration.seconds(5)

/** Sheds load before the server drowns in it: the least important first, and what calls depend on never. */
export class Load extends Context.Tag("@trunkline/rate-limits/Load")<Load, {
  /** Lets a request in, or refuses it for now (503 with Retry-After). */
  readonly admit: (importance: Importance) => Effect.Effect<void, Overloaded>
  /** Counts work as in flight while it goes on. */
  readonly track: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** How hard the server is pressed: the worst of what is measured, as a share of its limit. */
  readonly pressure: Effect.Effect<number>
}>() {
  /** Measures the event loop, the requests in flight and the queue before the stores. */
  static readonly layer = ({ inFlight = 500, lag = "100 millis", waiting = 200 }: LoadLimits = {}) =>
    Layer.scoped(
      Load,
      Effect.gen(function*() {
        const transactions = yield* Transactions
        const lateness = yield* loopLag
        const mostLate = Duration.toMillis(lag)
        let working = 0
        const begin = Effect.sync(() => working += 1)
        const end = Effect.sync(() => working -= 1)
        const pressure = Effect.zipWith(
          lateness,
          transactions.waiting,
          (late, queued) => Math.max(late / mostLate, working / inFlight, queued / waiting)
        )
        const track = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.acquireUseRelease(begin, () => work, () => end)
        return Load.of({
          admit: (importance) =>
            Effect.flatMap(pressure, (pressure) =>
              pressure < refusedFrom[importance]
                ? Effect.void
                : new Overloaded({ message: "The server has too much to do at the moment. Try again.", retryAfter })),
          track,
          pressure
        })
      })
    )

  /** Lets everything in. */
  static readonly layerUnlimited = Layer.succeed(Load, {
    admit: () => Effect.void,
    track: identity,
    pressure: Effect.succeed(0)
  })
}
