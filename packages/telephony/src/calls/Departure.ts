import { Deferred, Duration, Effect, FiberId } from "effect"

/** End of the work of this process on a call that goes on in another one. */
export interface Departure {
  /** Runs an effect that the departure waits for, for a time. */
  readonly stay: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Runs a write that the departure waits for. */
  readonly write: (write: Effect.Effect<void>) => Effect.Effect<void>
  /** Leaves the call: waits for what should not be cut off, lets go of its leg, ends its work here, and waits for its writes. */
  readonly leave: (letGo: Effect.Effect<void>) => Effect.Effect<void>
  /** Interrupts whoever waits for it once the call has been left. */
  readonly interruption: Effect.Effect<never>
}

/** Longest waits for the tools of a call, and for what is being written of it. */
const waits = { tools: Duration.seconds(10), writes: Duration.seconds(5) }

/** Counts effects that run, and completes when none does. */
const makeCounter = () => {
  let running = 0
  let none = Deferred.unsafeMake<void>(FiberId.none)
  return {
    count: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.acquireUseRelease(
        Effect.sync(() => void (running += 1)),
        () => effect,
        () =>
          Effect.sync(() => {
            running -= 1
            if (running > 0) return
            Deferred.unsafeDone(none, Effect.void)
            none = Deferred.unsafeMake<void>(FiberId.none)
          })
      ),
    isNone: Effect.suspend(() => running === 0 ? Effect.void : Deferred.await(none))
  }
}

/** Makes the departure of a call. */
export const makeDeparture = (): Departure => {
  const tools = makeCounter()
  const writes = makeCounter()
  const left = Deferred.unsafeMake<void>(FiberId.none)
  return {
    stay: tools.count,
    write: writes.count,
    leave: (letGo) =>
      Effect.timeoutOption(tools.isNone, waits.tools).pipe(
        Effect.zipRight(letGo),
        Effect.zipRight(Deferred.succeed(left, undefined)),
        Effect.zipRight(Effect.timeoutOption(writes.isNone, waits.writes)),
        Effect.asVoid
      ),
    interruption: Effect.zipRight(Deferred.await(left), Effect.interrupt)
  }
}
