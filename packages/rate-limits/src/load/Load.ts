import { Overloaded } from "@trunkline/errors"
import { bracketNow, makeCounter, Transactions } from "@trunkline/kernel"
import { Clock, Context, Duration, Effect, Either, identity, Layer, type Scope } from "effect"

/**
 * Priority of a request under overload, lowest first: file uploads and downloads, lists and records, model conversations,
 * and requests that phone calls depend on. `calls` are never shed.
 */
export type Importance = "batch" | "records" | "conversation" | "calls"

/** Pressure from which requests of each priority are shed; 1 means that a limit of `LoadLimits` is reached. */
const shedFrom: Readonly<Record<Importance, number>> = {
  batch: 1,
  records: 1.5,
  conversation: 2,
  calls: Infinity
}

/** Limits at which shedding begins. */
export interface LoadLimits {
  /** Event-loop lag as the 99th percentile of the last five seconds; default 100 ms. */
  readonly lag?: Duration.DurationInput
  /** Requests in flight; default 500. */
  readonly inFlight?: number
  /** Transactions waiting for the stores; default 200. */
  readonly waiting?: number
}

/** `Retry-After` of shed requests: the window of the lag measurement. */
const retryAfter = Duration.seconds(5)

const sheds = makeCounter({
  name: "trunkline_shed_requests_total",
  help: "Requests that were refused because the process had too much to do",
  labels: { importance: Object.keys(shedFrom) }
})

const outcomeOf = (importance: Importance, pressure: number): Either.Either<void, Overloaded> => {
  if (pressure < shedFrom[importance]) return Either.void
  sheds.add(1, { importance })
  return Either.left(
    new Overloaded({ message: "The server has too much to do at the moment. Try again.", retryAfter })
  )
}

/** Sheds load by priority before the server is overloaded (docs/decisions.md, 28). */
export class Load extends Context.Tag("@trunkline/rate-limits/Load")<Load, {
  /**
   * Admits a request, or fails with `Overloaded` (503 with Retry-After). Decides when it is called where it needs no new
   * measurement, as for most requests under load, and returns an `Either` then.
   */
  readonly admit: (importance: Importance) => Effect.Effect<void, Overloaded>
  /** Counts work as in flight while it runs. */
  readonly track: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Current pressure: the highest measurement relative to its limit. */
  readonly pressure: Effect.Effect<number>
}>() {
  /** Measures event-loop lag, requests in flight and transactions waiting for the stores. */
  static readonly layer = ({ inFlight = 500, lag = "100 millis", waiting = 200 }: LoadLimits = {}) =>
    Layer.scoped(
      Load,
      Effect.gen(function*() {
        const transactions = yield* Transactions
        const loopLagMillis = yield* loopLag
        const maxLag = Duration.toMillis(lag)
        let working = 0
        const end = () => void (working -= 1)
        const pressureAt = (late: number) =>
          Math.max(late / maxLag, working / inFlight, transactions.unsafeWaiting() / waiting)
        const pressure = Effect.map(loopLagMillis.measure, pressureAt)
        const track = <A, E, R>(work: Effect.Effect<A, E, R>) =>
          bracketNow(() => {
            working += 1
            return { work: () => work, end }
          })
        return Load.of({
          admit: (importance) => {
            const late = loopLagMillis.currentLag()
            return late === undefined
              ? Effect.flatMap(pressure, (pressure) => outcomeOf(importance, pressure))
              : outcomeOf(importance, pressureAt(late))
          },
          track,
          pressure
        })
      })
    )

  /** Admits everything. */
  static readonly layerUnlimited = Layer.succeed(Load, {
    admit: () => Either.void,
    track: identity,
    pressure: Effect.succeed(0)
  })
}

/** Duration of a measurement and window of measurements that count, in milliseconds. */
const interval = 20
const windowMillis = 5_000

/** Time after the first request in which startup work is ignored, in milliseconds. */
const startupMillis = 5_000

interface Measurement {
  readonly at: number
  readonly late: number
}

/** 99th percentile of the values and a number of zeros. */
const percentile99 = (values: ReadonlyArray<number>, zeros: number): number => {
  const index = Math.floor(0.99 * (values.length + zeros - 1)) - zeros
  return values.toSorted((a, b) => a - b)[index] ?? 0
}

/** Event-loop lag in milliseconds. */
interface LoopLag {
  /** The lag; begins a measurement unless one is running. */
  readonly measure: Effect.Effect<number>
  /** The lag where no measurement is due; otherwise undefined. */
  readonly currentLag: () => number | undefined
}

/**
 * Event-loop lag in milliseconds: the 99th percentile of the last five seconds. Each query starts a measurement unless one
 * is running, so an idle server is not woken (docs/decisions.md, 149); times without measurements count as zero lag. A
 * single pause, such as a garbage collection, does not count, but constant lag does. Nothing is measured in the five
 * seconds after the first request, since startup work is not load.
 */
const loopLag: Effect.Effect<LoopLag, never, Scope.Scope> = Effect.gen(function*() {
  const clock = yield* Effect.clock
  const scope = yield* Effect.scope
  let measurements: ReadonlyArray<Measurement> = []
  let isMeasuring = false
  /** Lag as of the start of the last measurement. */
  let lag = 0
  let measureFrom: number | null = null

  const measurement = Effect.gen(function*() {
    const began = yield* Clock.currentTimeMillis
    yield* Effect.sleep(interval)
    const at = yield* Clock.currentTimeMillis
    measurements = [...measurements, { at, late: Math.max(0, at - began - interval) }]
  }).pipe(
    Effect.ensuring(Effect.sync(() => isMeasuring = false)),
    Effect.withClock(clock),
    Effect.forkIn(scope)
  )

  const currentLag = () => {
    if (isMeasuring) return lag
    const now = clock.unsafeCurrentTimeMillis()
    measureFrom ??= now + startupMillis
    return now < measureFrom ? 0 : undefined
  }

  const begin = Effect.suspend(() => {
    const now = clock.unsafeCurrentTimeMillis()
    measurements = measurements.filter(({ at }) => at > now - windowMillis)
    const measuredMillis = measurements.reduce((total, { late }) => total + interval + late, 0)
    const zeros = Math.max(0, Math.round((windowMillis - measuredMillis) / interval))
    lag = percentile99(measurements.map(({ late }) => late), zeros)
    isMeasuring = true
    return Effect.as(measurement, lag)
  })

  const measure = Effect.suspend(() => {
    const late = currentLag()
    return late === undefined ? begin : Effect.succeed(late)
  })

  return { measure, currentLag }
})
