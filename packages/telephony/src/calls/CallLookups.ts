import { BusinessTime, describeCause } from "@trunkline/kernel"
import { Cause, Duration, Effect, type Option, Schedule } from "effect"
import { type CallLookup, type CallStatus, type Carrier, LookupFailed } from "../carriers/Carrier.js"

/** Maximum concurrent lookups per connection. */
const maxConcurrent = 16

/** Timeout of a lookup, in technical time. */
const lookupTimeout = Duration.seconds(30)

/** Exponential backoff between failed lookups, in technical time. */
const firstBackoff = Duration.millis(500)
const maxBackoff = Duration.seconds(30)

/** Looks calls up at their providers, with retries and a concurrency limit per connection. */
export const makeCallLookups = Effect.sync(() => {
  const semaphores = new Map<string, Effect.Semaphore>()
  const semaphoreOf = (connection_id: string) => {
    const semaphore = semaphores.get(connection_id) ?? Effect.unsafeMakeSemaphore(maxConcurrent)
    semaphores.set(connection_id, semaphore)
    return semaphore
  }

  /** Limits the concurrent requests of a connection. */
  const limitConcurrency = (connection_id: string) => semaphoreOf(connection_id).withPermits(1)

  /** Retries until `until` (epoch milliseconds of business time); none when no lookup succeeded by then. */
  const lookup = (carrier: Carrier, sought: CallLookup, until: number): Effect.Effect<Option.Option<CallStatus>> =>
    carrier.lookup(sought).pipe(
      Effect.catchAllDefect((defect) =>
        Effect.zipRight(
          Effect.logError("A carrier failed unexpectedly during a call lookup", describeCause(Cause.die(defect))),
          new LookupFailed({ reason: "the carrier failed unexpectedly" })
        )
      ),
      Effect.disconnect,
      Effect.timeoutFail({
        duration: lookupTimeout,
        onTimeout: () => new LookupFailed({ reason: "no response in time" })
      }),
      limitConcurrency(sought.connection.connection_id),
      Effect.retry({
        while: () => Effect.map(BusinessTime.now, (now) => now < until),
        schedule: Schedule.union(Schedule.exponential(firstBackoff), Schedule.spaced(maxBackoff))
      }),
      Effect.option
    )

  return { limitConcurrency, lookup }
})
