import { BusinessTime, describeCause, interruptOn, type Listen, timeoutAfter, timeoutAt } from "@trunkline/kernel"
import { Cause, Context, Data, Duration, Effect, Exit } from "effect"
import type { Attempt } from "../call/Attempt.js"
import type { AudioLine } from "../call/AudioLine.js"
import type { Leg } from "../call/Leg.js"
import { NotAnswered } from "../carriers/Carrier.js"
import type { CallRegistry } from "./LiveCalls.js"

/** Time limits of a call, all in business time. */
export interface CallLimits {
  /** Maximum ringing time; default 40 s. */
  readonly ringTimeout: Duration.Duration
  /** Maximum duration of a conversation; default 3600 s. */
  readonly maxDuration: Duration.Duration
  /**
   * Maximum time without any completed operation on the leg (speech, input, or a silence that was reported); default
   * 120 s. Long utterances extend it by their length.
   */
  readonly idleBudget: Duration.Duration
}

/** Call limits; provide this reference to override the defaults. */
export class CallLimitsOption extends Context.Reference<CallLimitsOption>()("@trunkline/telephony/CallLimits", {
  defaultValue: (): CallLimits => ({
    ringTimeout: Duration.seconds(40),
    maxDuration: Duration.seconds(3600),
    idleBudget: Duration.seconds(120)
  })
}) {}

/** Grace period after a limit before the engine ends the call itself, in business time. */
export const gracePeriod = Duration.seconds(30)

/** Timeout for ending a call, in technical time; the reaper ends calls that outlast it. */
const endTimeout = Duration.seconds(10)

/** Ends a call without failing, for at most 10 s: cleanup must not hold up its caller. */
export const endWithTimeout = (ending: Effect.Effect<void>): Effect.Effect<void> =>
  Exit.isExit(ending) && Exit.isSuccess(ending) ? ending : ending.pipe(
    Effect.catchAllDefect((defect) => Effect.logError("A call could not be ended", describeCause(Cause.die(defect)))),
    timeoutAfter(endTimeout, Effect.void)
  )

/** Fails with `no_answer` once the ringing limit and its grace period have passed, regardless of the provider. */
export const withRingTimeout = <A>(
  limit: Duration.Duration,
  answer: Effect.Effect<A, NotAnswered>
): Effect.Effect<A, NotAnswered> =>
  Exit.isExit(answer) ? answer : Effect.flatMap(
    BusinessTime.now,
    (now) => timeoutAt(now + Duration.toMillis(Duration.sum(limit, gracePeriod)), noAnswer)(answer)
  )

/** Failure reason of a call that was ended on request. */
export const hangUpCause = "hung up on request"

/** Cancellation of a call before its answer. */
export class CalledOff extends Data.TaggedError("CalledOff")<{ readonly reason: string }> {}

const noCallOff: Listen<string> = () => () => {}

/** Makes the wait for an answer. It fails with `CalledOff` when the call is called off, or ended on request. */
export const makeAnswerWait = (registry: Context.Tag.Service<CallRegistry>) =>
(
  attempt: Attempt,
  answer: Effect.Effect<Leg | AudioLine, NotAnswered>,
  onCallOff: Listen<string> = noCallOff
): Effect.Effect<Leg | AudioLine, NotAnswered | CalledOff> =>
  Exit.isExit(answer) ? answer : Effect.suspend(() => {
    let isHungUp = false
    let signal = (_reason: string) => {}
    const hangUp = Effect.sync(() => {
      isHungUp = true
      signal(hangUpCause)
    })
    const listen: Listen<Effect.Effect<never, CalledOff>> = (interrupt) => {
      signal = (reason) => interrupt(new CalledOff({ reason }))
      if (isHungUp) signal(hangUpCause)
      return onCallOff(signal)
    }
    const answered = interruptOn(answer, listen)
    return registry.endingBy(attempt.attempt_id, hangUp)(
      Effect.suspend(() => isHungUp ? new CalledOff({ reason: hangUpCause }) : answered)
    )
  })

const noAnswer = Effect.fail(new NotAnswered({ status: "no_answer", reason: null }))
