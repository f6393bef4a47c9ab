import { type Decision, type Leg, NotAnswered } from "@trunkline/telephony"
import { Effect, Option } from "effect"
import { callById } from "./Asking.js"
import { makeLeg } from "./HttpLeg.js"
import type { Line } from "./Lines.js"
import { type Call, failureReason, notAnswered } from "./Protocol.js"

/** Nobody picked up, or somebody did: also on a call that is over already, whose leg then says so. */
type Outcome = Effect.Effect<Leg, NotAnswered>

/** What a call as it is now comes to; none while it rings. */
const outcomeOf = (line: Line, call: Call): Option.Option<Outcome> => {
  if (call.state === "queued" || call.state === "ringing") return Option.none()
  const failure = notAnswered(call)
  return Option.some(failure === null ? Effect.sync(() => makeLeg(line, call.call_id)) : Effect.fail(failure))
}

const forgotten = new NotAnswered({
  status: "provider_error",
  reason: failureReason("the provider does not know the call any more")
})

/**
 * Waits for somebody to pick up. What is pushed (`news`) and what is asked for every few seconds run against each other,
 * so that events may come early, late, twice, in any order or never.
 */
export const answerOf = (line: Line, call: Call, news: Effect.Effect<Decision>): Outcome => {
  const pushed: Effect.Effect<Outcome> = Effect.map(
    news,
    (told) =>
      told._tag === "Ended" && told.status !== null
        ? Effect.fail(new NotAnswered({ status: told.status, reason: told.reason }))
        : Effect.sync(() => makeLeg(line, call.call_id))
  )

  const asked: Effect.Effect<Outcome> = Effect.option(callById(line, call.call_id)).pipe(
    Effect.delay(line.settings.poll_seconds * 1000),
    Effect.flatMap((answer) => {
      if (Option.isNone(answer)) return asked
      const now = answer.value
      return Option.isNone(now)
        ? Effect.succeed(Effect.fail(forgotten))
        : Option.match(outcomeOf(line, now.value), { onNone: () => asked, onSome: Effect.succeed })
    })
  )

  return Option.getOrElse(outcomeOf(line, call), () => Effect.flatten(Effect.raceFirst(pushed, asked)))
}
