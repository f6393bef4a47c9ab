import { BusinessTime, describeCause, leaveAfter, leaveAt } from "@trunkline/kernel"
import { Cause, Context, Duration, Effect } from "effect"
import { NotAnswered } from "../carriers/Carrier.js"

/** How long a call may ring, last and stand still. All of it is business time. */
export interface CallLimits {
  /** Default 40 s. */
  readonly ringTimeout: Duration.Duration
  /** Default 3600 s (shapes 11). */
  readonly maxDuration: Duration.Duration
  /**
   * How long a conversation may go on without anything being said or heard to its end, or a silence being noticed;
   * default 120 s. What takes longer to say than that may be said all the same.
   */
  readonly idleBudget: Duration.Duration
}

/** The limits of calls, changed by the embedder. */
export class CallLimitsOption extends Context.Reference<CallLimitsOption>()("@trunkline/telephony/CallLimits", {
  defaultValue: (): CallLimits => ({
    ringTimeout: Duration.seconds(40),
    maxDuration: Duration.seconds(3600),
    idleBudget: Duration.seconds(120)
  })
}) {}

/** What carriers and handlers may exceed their limits by before a call is ended for them, in business time. */
export const GRACE = Duration.seconds(30)

/** How long ending a call may take, in technical time; what is still up then is left to the reaper. */
const END_TIMEOUT = Duration.seconds(10)

/** Ends a call, and neither waits for long nor fails: whoever ends one has something else to finish. */
export const endWithTimeout = (ending: Effect.Effect<void>): Effect.Effect<void> =>
  ending.pipe(
    Effect.catchAllDefect((defect) => Effect.logError("A call could not be ended", describeCause(Cause.die(defect)))),
    leaveAfter(END_TIMEOUT, Effect.void)
  )

/** Somebody who picks up; nobody does any more once the limit and its grace have passed, whatever the provider says. */
export const withRingTimeout = <A>(
  limit: Duration.Duration,
  answer: Effect.Effect<A, NotAnswered>
): Effect.Effect<A, NotAnswered> =>
  Effect.flatMap(
    BusinessTime.now,
    (now) => leaveAt(now + Duration.toMillis(Duration.sum(limit, GRACE)), noAnswer)(answer)
  )

const noAnswer = Effect.fail(new NotAnswered({ status: "no_answer", reason: null }))
