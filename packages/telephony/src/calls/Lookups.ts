import { BusinessTime, describeCause } from "@trunkline/kernel"
import { Cause, Duration, Effect, type Option, Schedule } from "effect"
import { type CallSight, type Carrier, LookupFailed, type Sought } from "../Carrier.js"

/** How many questions about lost calls are on their way to the provider of one connection at once. */
const AT_ONCE = 16

/** How long a provider has to answer a question, in technical time. */
const PATIENCE = Duration.seconds(30)

/** A question that failed is asked again after this, doubling to the longest, in technical time. */
const FIRST_PAUSE = Duration.millis(500)
const LONGEST_PAUSE = Duration.seconds(30)

/** Asks providers what became of calls, patiently and not too many at once. */
export const makeLookups = Effect.sync(() => {
  const turns = new Map<string, Effect.Semaphore>()
  const turnsOf = (connection_id: string) => {
    const known = turns.get(connection_id) ?? Effect.unsafeMakeSemaphore(AT_ONCE)
    turns.set(connection_id, known)
    return known
  }

  /** One question, one of a few at a time. */
  const inTurn = (connection_id: string) => turnsOf(connection_id).withPermits(1)

  /** What the provider says; none when it could not be asked until a moment, epoch milliseconds of business time. */
  const look = (carrier: Carrier, sought: Sought, until: number): Effect.Effect<Option.Option<CallSight>> =>
    carrier.look(sought).pipe(
      Effect.catchAllDefect((defect) =>
        Effect.zipRight(
          Effect.logError("A carrier broke while it was asked for a call", describeCause(Cause.die(defect))),
          new LookupFailed({ reason: "the carrier broke" })
        )
      ),
      Effect.disconnect,
      Effect.timeoutFail({ duration: PATIENCE, onTimeout: () => new LookupFailed({ reason: "no answer in time" }) }),
      inTurn(sought.connection.connection_id),
      Effect.retry({
        while: () => Effect.map(BusinessTime.now, (now) => now < until),
        schedule: Schedule.union(Schedule.exponential(FIRST_PAUSE), Schedule.spaced(LONGEST_PAUSE))
      }),
      Effect.option
    )

  return { inTurn, look }
})
