import { type Decision, type Leg, NotAnswered } from "@trunkline/telephony"
import { Effect, Option } from "effect"
import { getCall } from "./CallRequests.js"
import { makeLeg } from "./HttpLeg.js"
import { type Call, failureReason, notAnswered } from "./Protocol.js"
import type { ProviderClient } from "./ProviderClient.js"

/** Outcome of ringing. For an answered call that has already ended, the leg itself reports the end. */
type Answer = Effect.Effect<Leg, NotAnswered>

/** Outcome of a call in its current state; none while it rings. */
const outcomeOf = (client: ProviderClient, call: Call): Option.Option<Answer> => {
  if (call.state === "queued" || call.state === "ringing") return Option.none()
  const failure = notAnswered(call)
  return Option.some(failure === null ? Effect.sync(() => makeLeg(client, call.call_id)) : Effect.fail(failure))
}

const callUnknown = new NotAnswered({
  status: "provider_error",
  reason: failureReason("the provider no longer knows the call")
})

/**
 * Waits until a call is answered or has failed. Pushed events (`news`) race against polling, so events can arrive early,
 * late, twice, out of order or never.
 */
export const awaitAnswer = (client: ProviderClient, call: Call, news: Effect.Effect<Decision>): Answer => {
  const answerByPush: Effect.Effect<Answer> = Effect.map(
    news,
    (decision) =>
      decision._tag === "Ended" && decision.status !== null
        ? Effect.fail(new NotAnswered({ status: decision.status, reason: decision.reason }))
        : Effect.sync(() => makeLeg(client, call.call_id))
  )

  const answerByPoll: Effect.Effect<Answer> = Effect.option(getCall(client, call.call_id)).pipe(
    Effect.delay(client.settings.poll_seconds * 1000),
    Effect.flatMap((answer) => {
      if (Option.isNone(answer)) return answerByPoll
      const now = answer.value
      return Option.isNone(now)
        ? Effect.succeed(Effect.fail(callUnknown))
        : Option.match(outcomeOf(client, now.value), { onNone: () => answerByPoll, onSome: Effect.succeed })
    })
  )

  return Option.getOrElse(outcomeOf(client, call), () => Effect.flatten(Effect.raceFirst(answerByPush, answerByPoll)))
}
