import { BusinessTime, describeCause } from "@trunkline/kernel"
import { Cause, Duration, Effect, type Option, Schedule } from "effect"
import { type CallQuery, type CallSight, type Carrier, LookupFailed } from "../carriers/Carrier.js"

/** How many questions about lost calls are on their way to the provider of one connection at once. */
const MAX_CONCURRENT = 16

/** How long a provider has to answer a question, in technical time. */
const LOOKUP_TIMEOUT = Duration.seconds(30)

/** A question that failed is asked again after this, doubling to the longest, in technical time. */
const FIRST_BACKOFF = Duration.millis(500)
const MAX_BACKOFF = Duration.seconds(30)

/** Asks providers what became of calls, patiently and not too many at once. */
export const makeCallLookups = Effect.sync(() => {
  const semaphores = new Map<string, Effect.Semaphore>()
  const semaphoreOf = (connection_id: string) => {
    const known = semaphores.get(connection_id) ?? Effect.unsafeMakeSemaphore(MAX_CONCURRENT)
    semaphores.set(connection_id, known)
    return known
  }

  /** One question, one of a few at a time. */
  const limitConcurrency = (connection_id: string) => semaphoreOf(connection_id).withPermits(1)

  /** What the provider says; none when it could not be asked until a moment, epoch milliseconds of business time. */
  const lookup = (carrier: Carrier, sought: CallQuery, until: number): Effect.Effect<Option.Option<CallSight>> =>
    carrier.look(sought).pipe(
      Effect.catchAllDefect((defect) =>
        Effect.zipRight(
          Effect.logError("A carrier broke while it was asked for a call", describeCause(Cause.die(defect))),
          new LookupFailed({ reason: "the carrier broke" })
        )
      ),
      Effect.disconnect,
      Effect.timeoutFail({
        duration: LOOKUP_TIMEOUT,
        onTimeout: () => new LookupFailed({ reason: "no answer in time" })
      }),
      limitConcurrency(sought.connection.connection_id),
      Effect.retry({
        while: () => Effect.map(BusinessTime.now, (now) => now < until),
        schedule: Schedule.union(Schedule.exponential(FIRST_BACKOFF), Schedule.spaced(MAX_BACKOFF))
      }),
      Effect.option
    )

  return { inTurn: limitConcurrency, look: lookup }
})
