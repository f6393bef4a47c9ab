import { BusinessTime, describeCause, Ids } from "@trunkline/kernel"
import { Cause, Duration, Effect } from "effect"
import type { Attempt } from "../Attempt.js"
import { answered } from "../LiveEvent.js"
import { LiveFeed } from "../LiveFeed.js"
import { type CallBrief, CallFault, CallHandler, type CallReport } from "./CallHandler.js"
import { type CallLimits, CallLimitsOption, GRACE } from "./CallLimits.js"
import type { Connected } from "./CallOutcome.js"
import type { Leg } from "./Leg.js"
import { guardLeg } from "./LegGuard.js"
import { watchedLeg } from "./WatchedLeg.js"

/**
 * Holds conversations within their budget. Whatever the handler does (it hangs, listens for ever, does not return, does
 * not hear that the line is gone), the leg is ended when its budget is spent, and the conversation reported as a fault.
 */
export const makeConversations = Effect.gen(function*() {
  const handler = yield* CallHandler
  const ids = yield* Ids
  const feed = yield* LiveFeed
  const limits = yield* CallLimitsOption
  const longest = Duration.toMillis(Duration.sum(limits.maxDuration, GRACE))

  /** Talks until the leg's budget is spent. */
  const guarded = <A>(leg: Leg, deadline: number, talk: (leg: Leg) => Effect.Effect<A, CallFault>) =>
    Effect.flatMap(
      guardLeg(leg, { deadline, idle: limits.idleBudget }),
      (guard) =>
        Effect.disconnect(talk(guard.leg)).pipe(
          Effect.raceFirst(Effect.flatMap(guard.spent, (why) => Effect.fail(new CallFault({ reason: faults[why] })))),
          Effect.ensuring(guard.close)
        )
    )

  return Effect.fnUntraced(function*(leg: Leg, attempt: Attempt) {
    const interaction_id = yield* ids.interactionId
    const started_at = yield* BusinessTime.now
    yield* feed.tell(attempt, () => answered(attempt, interaction_id, started_at))
    const brief = briefOf(attempt, limits)
    const talk = (line: Leg) => handler.handle(watchedLeg(line, { attempt, feed, interaction_id }), brief)
    const held = leg.prompt === true ? talk(leg) : guarded(leg, started_at + longest, talk)
    const report = yield* held.pipe(
      Effect.catchAll((fault) => Effect.succeed(faulty(attempt, fault.reason))),
      Effect.catchAllDefect((defect) =>
        Effect.as(
          Effect.logError("A conversation broke off", describeCause(Cause.die(defect))),
          faulty(attempt, "internal: the conversation broke off")
        )
      )
    )
    const ended_at = yield* BusinessTime.now
    return { _tag: "Connected", interaction_id, started_at, ended_at, report } satisfies Connected
  })
})

const faults = {
  deadline: "internal: the conversation outlived its limit",
  idle: "internal: the conversation stood still"
}

const briefOf = (attempt: Attempt, limits: CallLimits): CallBrief => ({
  attempt_id: attempt.attempt_id,
  scope: attempt,
  direction: attempt.kind === "inbound" ? "inbound" : "outbound",
  app_id: attempt.app_id,
  app_version: attempt.app_version,
  user_phone_number: attempt.user_phone_number,
  agent_phone_number: attempt.agent_phone_number,
  agent_variables: attempt.agent_variables,
  app_overrides: attempt.app_overrides,
  maxDuration: limits.maxDuration
})

const faulty = (attempt: Attempt, fault: string): CallReport => ({
  agent_done: false,
  ended_by: "agent",
  language_name: null,
  transcript: [],
  final_agent_variables: attempt.agent_variables,
  output_agent_variables: {},
  average_agent_response_seconds: null,
  average_user_response_seconds: null,
  business_retry: false,
  reschedule_at: null,
  fault
})
