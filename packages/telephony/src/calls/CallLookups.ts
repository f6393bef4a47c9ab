import { BusinessTime, describeCause } from "@trunkline/kernel"
import { Cause, Duration, Effect, type Option, Schedule } from "effect"
import { type CallQuery, type CallStatus, type Carrier, LookupFailed } from "../carriers/Carrier.js"

/** Maximum concurrent lookups per connection. */
const MAX_CONCURRENT = 16

/** Timeout of a lookup, in technical time. */
const LOOKUP_TIMEOUT = Duration.seconds(30)

/** Exponential backoff between failed lookups, in technical time. */
const FIRST_BACKOFF = Duration.millis(500)
const MAX_BACKOFF = Duration.seconds(30)

/** Looks calls up at their providers, with retries and a concurrency limit per connection. */
export const makeCallLookups = Effect.sync(() => {
  const semaphores = new Map<string, Effect.Semaphore>()
  const semaphoreOf = (connection_id: string) => {
    const semaphore = semaphores.get(connection_id) ?? Effect.unsafeMakeSemaphore(MAX_CONCURRENT)
    semaphores.set(connection_id, semaphore)
    return semaphore
  }

  /** Limits the concurrent requests of a connection. */
  const limitConcurrency = (connection_id: string) => semaphoreOf(connection_id).withPermits(1)

  /** Retries until `until` (epoch milliseconds of business time); none when no lookup succeeded by then. */
  const lookup = (carrier: Carrier, sought: CallQuery, until: number): Effect.Effect<Option.Option<CallStatus>> =>
    carrier.lookup(sought).pipe(
      Effect.catchAllDefect((defect) =>
        Effect.zipRight(
          Effect.logError("A carrier failed unexpectedly during a call lookup", describeCause(Cause.die(defect))),
          new LookupFailed({ reason: "the carrier failed unexpectedly" })
        )
      ),
      Effect.disconnect,
      Effect.timeoutFail({
        duration: LOOKUP_TIMEOUT,
        onTimeout: () => new LookupFailed({ reason: "no response in time" })
      }),
      limitConcurrency(sought.connection.connection_id),
      Effect.retry({
        while: () => Effect.map(BusinessTime.now, (now) => now < until),
        schedule: Schedule.union(Schedule.exponential(FIRST_BACKOFF), Schedule.spaced(MAX_BACKOFF))
      }),
      Effect.option
    )

  return { limitConcurrency, lookup }
})
