import { BusinessTime, describeCause, Ids, type InteractionId } from "@trunkline/kernel"
import { Cause, DateTime, Duration, Effect } from "effect"
import type { Attempt } from "../attempts/Attempt.js"
import { attemptAnswered } from "../live/LiveEvent.js"
import { LiveFeed } from "../live/LiveFeed.js"
import { type AudioLine, isAudioLine } from "./AudioLine.js"
import { type CallBrief, CallFault, CallHandler, type CallReport } from "./CallHandler.js"
import { type CallLimits, CallLimitsOption, endWithTimeout, GRACE } from "./CallLimits.js"
import type { Connected } from "./CallOutcome.js"
import type { Heard, Leg, Utterance } from "./Leg.js"
import { guardLeg } from "./LegGuard.js"
import { Voicing } from "./Voicing.js"

/**
 * Runs conversations within their limits. When a handler hangs, never returns or ignores that the line has ended, the
 * leg is closed and the conversation is reported as a fault.
 */
export const makeConversations = Effect.gen(function*() {
  const handler = yield* CallHandler
  const ids = yield* Ids
  const feed = yield* LiveFeed
  const limits = yield* CallLimitsOption
  const voicing = yield* Voicing
  const longest = Duration.toMillis(Duration.sum(limits.maxDuration, GRACE))

  /** Interrupts the conversation when the leg's budget is spent. */
  const withinBudget = <A>(leg: Leg, deadline: number, talk: (leg: Leg) => Effect.Effect<A, CallFault>) =>
    Effect.flatMap(
      guardLeg(leg, { deadline, idle: limits.idleBudget }),
      (guard) =>
        Effect.disconnect(talk(guard.leg)).pipe(
          Effect.raceFirst(
            Effect.flatMap(guard.spent, (why) => Effect.fail(new CallFault({ reason: budgetFaults[why] })))
          ),
          Effect.ensuring(guard.close)
        )
    )

  /** Holds a conversation on a leg, or on a line with sound. */
  const hold = (answered: Leg | AudioLine, brief: CallBrief, deadline: number, talk: Talk) =>
    isAudioLine(answered)
      ? Effect.scoped(Effect.flatMap(voicing.legOf(answered, brief), (leg) => withinBudget(leg, deadline, talk))).pipe(
        Effect.ensuring(endWithTimeout(answered.hangUp))
      )
      : answered.immediate === true
      ? talk(answered)
      : withinBudget(answered, deadline, talk)

  return Effect.fnUntraced(function*(answered: Leg | AudioLine, attempt: Attempt) {
    const interaction_id = yield* ids.interactionId
    const started_at = yield* BusinessTime.now
    yield* feed.publish(attempt, () => attemptAnswered(attempt, interaction_id, started_at))
    const brief = briefOf(attempt, limits)
    const talk = (line: Leg) => handler.handle(publishTurns(line, { attempt, feed, interaction_id }), brief)
    const report = yield* hold(answered, brief, started_at + longest, talk).pipe(
      Effect.catchAll((fault) => Effect.succeed(faultReport(attempt, fault.reason))),
      Effect.catchAllDefect((defect) =>
        Effect.as(
          Effect.logError("A conversation failed unexpectedly", describeCause(Cause.die(defect))),
          faultReport(attempt, "internal: the conversation failed unexpectedly")
        )
      )
    )
    const ended_at = yield* BusinessTime.now
    return { _tag: "Connected", interaction_id, started_at, ended_at, report } satisfies Connected
  })
})

type Talk = (leg: Leg) => Effect.Effect<CallReport, CallFault>

const budgetFaults = {
  deadline: "internal: the conversation exceeded its maximum duration",
  idle: "internal: the conversation was idle for too long"
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

const faultReport = (attempt: Attempt, fault: string): CallReport => ({
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

interface TurnText {
  readonly role: "agent" | "user"
  readonly text: string
  readonly en_text: string | null
  readonly language_name: string | null
}

const turnTextOf = (heard: Extract<Heard, { readonly _tag: "Said" | "Pressed" }>): Omit<TurnText, "role"> =>
  heard._tag === "Said" ? heard : { text: heard.digit, en_text: null, language_name: null }

/** Wraps a leg so that every turn is published to the live feed. */
const publishTurns = (
  leg: Leg,
  { attempt, feed, interaction_id }: {
    readonly attempt: Attempt
    readonly feed: LiveFeed.Service
    readonly interaction_id: InteractionId
  }
): Leg => {
  const publish = ({ en_text, language_name, role, text }: TurnText) =>
    text.trim() === ""
      ? Effect.void
      : Effect.flatMap(BusinessTime.now, (now) =>
        feed.publish(attempt, () => ({
          type: "turn",
          at: DateTime.unsafeMake(Math.floor(now)),
          attempt_id: attempt.attempt_id,
          campaign_id: attempt.campaign_id,
          interaction_id,
          role,
          text,
          en_text,
          language_name
        })))
  return {
    ...leg,
    say: (utterance: Utterance) =>
      Effect.tap(
        leg.say(utterance),
        ({ heard }) => publish({ role: "agent", text: heard, en_text: null, language_name: utterance.language_name })
      ),
    listen: (silence) =>
      Effect.tap(
        leg.listen(silence),
        (heard) =>
          heard._tag === "Said" || heard._tag === "Pressed"
            ? publish({ role: "user", ...turnTextOf(heard) })
            : Effect.void
      )
  }
}
