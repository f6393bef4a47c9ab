import { BusinessTime, describeCause, fiberStarter, Ids, type InteractionId } from "@trunkline/kernel"
import { Cause, DateTime, Duration, Effect } from "effect"
import type { Attempt } from "../call/Attempt.js"
import { type AudioLine, isAudioLine } from "../call/AudioLine.js"
import { type CallBrief, CallFault, CallHandler, type CallReport, type TranscriptTurn } from "../call/CallHandler.js"
import { type CallOutcome, notConnected } from "../call/CallOutcome.js"
import type { Heard, Leg, Utterance } from "../call/Leg.js"
import { CallJournal } from "../journal/CallJournal.js"
import { attemptAnswered, type LiveEvent } from "../live/LiveEvent.js"
import { LiveFeed } from "../live/LiveFeed.js"
import { type CallLimits, CallLimitsOption, endWithTimeout, gracePeriod, onRequest } from "./CallLimits.js"
import { withConversationId } from "./CallSpans.js"
import { guardLeg } from "./LegGuard.js"
import { CallRegistry } from "./LiveCalls.js"
import { Voicing } from "./Voicing.js"

/**
 * Runs conversations within their limits. When a handler hangs, never returns or ignores that the line has ended, the
 * leg is closed and the conversation is reported as a fault.
 */
export const makeConversations = Effect.gen(function*() {
  const handler = yield* CallHandler
  const ids = yield* Ids
  const feed = yield* LiveFeed
  const journal = yield* CallJournal
  const limits = yield* CallLimitsOption
  const voicing = yield* Voicing
  const registry = yield* CallRegistry
  const longest = Duration.toMillis(Duration.sum(limits.maxDuration, gracePeriod))

  /** Interrupts the conversation when the leg's budget is spent. */
  const withinBudget = (leg: Leg, { ending, deadline, talk }: Held) =>
    Effect.flatMap(
      guardLeg(leg, { deadline, idle: limits.idleBudget }),
      (guard) =>
        Effect.disconnect(ending(guard.leg.hangUp)(talk(guard.leg))).pipe(
          Effect.raceFirst(
            Effect.flatMap(guard.spent, (why) => Effect.fail(new CallFault({ reason: budgetFaults[why] })))
          ),
          Effect.ensuring(guard.close)
        )
    )

  /** Holds a conversation on a leg, or on a line with sound. */
  const hold = (answered: Leg | AudioLine, brief: CallBrief, held: Held) =>
    isAudioLine(answered)
      ? Effect.scoped(Effect.flatMap(voicing.legOf(answered, brief), (leg) => withinBudget(leg, held))).pipe(
        Effect.ensuring(endWithTimeout(answered.hangUp))
      )
      : answered.immediate === true
      ? held.talk(answered)
      : withinBudget(answered, held)

  return Effect.fnUntraced(function*(answered: Leg | AudioLine, attempt: Attempt) {
    const interaction_id = yield* ids.interactionId
    const started_at = yield* BusinessTime.now
    yield* feed.publish(attempt, () => attemptAnswered(attempt, interaction_id, started_at))
    const brief = briefOf(attempt, limits)
    const isKept = isAudioLine(answered) || answered.immediate !== true
    if (isKept) yield* journal.note(attempt.attempt_id, { _tag: "Answered", interaction_id, started_at })
    const signalling = isAudioLine(answered) ? answered.signalling?.() : undefined
    if (signalling !== undefined) yield* journal.note(attempt.attempt_id, { _tag: "Signalling", state: signalling })
    const start = yield* fiberStarter()
    const note = (_tag: "Turn" | "Saying", turn: TurnText) =>
      isKept
        ? Effect.flatMap(BusinessTime.now, (now) =>
          journal.note(attempt.attempt_id, { _tag, turn: transcriptTurn(turn, now) }))
        : Effect.void
    const tell = (turn: TurnText) =>
      Effect.flatMap(BusinessTime.now, (now) => {
        const published = feed.publish(attempt, () => turnEvent(turn, { attempt, interaction_id, now }))
        return Effect.zipRight(note("Turn", turn), published)
      })
    const tellPart = (turn: TurnText) => void start(note("Saying", turn))
    const talk = (line: Leg) => handler.handle(tellTurns(line, { tell, tellPart }), brief)
    let isHungUp = false
    const ending: Held["ending"] = (hangUp) =>
      registry.endingBy(
        attempt.attempt_id,
        Effect.suspend(() => {
          isHungUp = true
          return endWithTimeout(hangUp)
        })
      )
    const report = yield* hold(answered, brief, { deadline: started_at + longest, ending, talk }).pipe(
      Effect.catchAll((fault) => Effect.succeed(faultReport(attempt, fault.reason))),
      Effect.catchAllDefect((defect) =>
        Effect.as(
          Effect.logError("A conversation failed unexpectedly", describeCause(Cause.die(defect))),
          faultReport(attempt, "internal: the conversation failed unexpectedly")
        )
      ),
      Effect.annotateLogs({ attempt_id: attempt.attempt_id }),
      withConversationId(interaction_id)
    )
    const ended_at = yield* BusinessTime.now
    const trouble = answered.trouble?.() ?? null
    if (trouble?.isFailed === true) return notConnected("provider_error", trouble.reason)
    const noted = trouble === null ? isHungUp ? { trouble: onRequest } : {} : { trouble: trouble.reason }
    return { _tag: "Connected", interaction_id, started_at, ended_at, report, ...noted } satisfies CallOutcome
  })
})

/** A conversation with the limits that hold for it, and what to do when somebody ends it. */
interface Held {
  readonly deadline: number
  readonly talk: (leg: Leg) => Effect.Effect<CallReport, CallFault>
  /** Ends the call by the effect while the conversation runs. */
  readonly ending: (
    hangUp: Effect.Effect<void>
  ) => (talk: Effect.Effect<CallReport, CallFault>) => Effect.Effect<CallReport, CallFault>
}

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

/** The event of a turn in the live feed. */
const turnEvent = (
  turn: TurnText,
  { attempt, interaction_id, now }: {
    readonly attempt: Attempt
    readonly interaction_id: InteractionId
    readonly now: number
  }
): LiveEvent => ({
  type: "turn",
  at: DateTime.unsafeMake(Math.floor(now)),
  attempt_id: attempt.attempt_id,
  campaign_id: attempt.campaign_id,
  interaction_id,
  ...turn
})

/** A turn for the transcript of a call that is cut off: what has no English is not translated then. */
const transcriptTurn = ({ en_text, language_name, role, text }: TurnText, at: number): TranscriptTurn => {
  const isEnglish = language_name === null || language_name === "English"
  return { role, en_text: en_text ?? text, indic_text: isEnglish ? null : text, language_name, at }
}

/** Wraps a leg so that every turn with words is told, and the parts of one that goes on. */
const tellTurns = (leg: Leg, { tell, tellPart }: {
  readonly tell: (turn: TurnText) => Effect.Effect<void>
  readonly tellPart: (turn: TurnText) => void
}): Leg => {
  const tellWords = (turn: TurnText) => turn.text.trim() === "" ? Effect.void : tell(turn)
  return {
    ...leg,
    say: (utterance: Utterance) => {
      const turnOf = (text: string): TurnText => ({
        role: "agent",
        text,
        en_text: null,
        language_name: utterance.language_name
      })
      return Effect.tap(
        leg.say({ ...utterance, onHeard: (heard) => tellPart(turnOf(heard)) }),
        ({ heard }) => tellWords(turnOf(heard))
      )
    },
    listen: (silence) =>
      Effect.tap(
        leg.listen(silence),
        (heard) =>
          heard._tag === "Said" || heard._tag === "Pressed"
            ? tellWords({ role: "user", ...turnTextOf(heard) })
            : Effect.void
      )
  }
}
