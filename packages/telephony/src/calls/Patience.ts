import { BusinessTime, describeCause, leaveAfter, leaveAt } from "@trunkline/kernel"
import { Cause, Duration, Effect } from "effect"
import { NotAnswered } from "../Carrier.js"
import { GRACE } from "./CallLimits.js"

/** How long ending a call may take, in technical time; what is still up then is left to the reaper. */
const PATIENCE = Duration.seconds(10)

/** Ends a call, and neither waits for long nor fails: whoever ends one has something else to finish. */
export const briefly = (ending: Effect.Effect<void>): Effect.Effect<void> =>
  ending.pipe(
    Effect.catchAllDefect((defect) => Effect.logError("A call could not be ended", describeCause(Cause.die(defect)))),
    leaveAfter(PATIENCE, Effect.void)
  )

/** Somebody who picks up; nobody does any more once the limit and its grace have passed, whatever the provider says. */
export const withinRinging = <A>(
  limit: Duration.Duration,
  answer: Effect.Effect<A, NotAnswered>
): Effect.Effect<A, NotAnswered> =>
  Effect.flatMap(
    BusinessTime.now,
    (now) => leaveAt(now + Duration.toMillis(Duration.sum(limit, GRACE)), nobody)(answer)
  )

const nobody = Effect.fail(new NotAnswered({ status: "no_answer", reason: null }))
