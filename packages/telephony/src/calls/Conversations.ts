import {
  BusinessTime,
  CurrentUsage,
  describeCause,
  fiberStarter,
  Ids,
  makeUsageMeter,
  timeoutAt
} from "@trunkline/kernel"
import { Cause, Duration, Effect } from "effect"
import type { Attempt } from "../call/Attempt.js"
import { type AudioLine, isAudioLine } from "../call/AudioLine.js"
import { type CallBrief, CallFault, CallHandler, type CallReport } from "../call/CallHandler.js"
import { type CallOutcome, notConnected } from "../call/CallOutcome.js"
import { CallWatch } from "../call/CallWatch.js"
import type { Leg } from "../call/Leg.js"
import { CallJournal, type CallNotes, noCallNotes } from "../journal/CallJournal.js"
import { attemptAnswered } from "../live/LiveEvent.js"
import { LiveFeed } from "../live/LiveFeed.js"
import { CallRecorder } from "../recording/CallRecorder.js"
import { withNotice } from "../recording/Notice.js"
import { type CallLimits, CallLimitsOption, endWithTimeout, gracePeriod, hangUpCause } from "./CallLimits.js"
import { callLogs } from "./CallLogs.js"
import { withConversationId } from "./CallSpans.js"
import { makeDeparture } from "./Departure.js"
import { faultReport } from "./FaultReport.js"
import { guardLeg } from "./legs/LegGuard.js"
import { withPauses } from "./legs/Secrecy.js"
import { tellTurns, transcriptTurn, turnEvent, type TurnText } from "./legs/TurnReports.js"
import { watchedLeg } from "./legs/WatchedLeg.js"
import { CallRegistry } from "./LiveCalls.js"
import { makeTransfers, type TransferableCall } from "./transfers/Transfers.js"
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
  const transferable = yield* makeTransfers
  const recorder = yield* CallRecorder
  const maxMillis = Duration.toMillis(Duration.sum(limits.maxDuration, gracePeriod))

  /** Interrupts the conversation when the leg's budget is spent. */
  const withinBudget = (leg: Leg, { ending, deadline, talk }: Held) =>
    Effect.flatMap(
      guardLeg(leg, { deadline, idle: limits.idleBudget }),
      (guard) =>
        Effect.disconnect(ending(guard.leg.hangUp)(talk(guard.leg))).pipe(
          Effect.raceFirst(
            Effect.flatMap(guard.limit, (reason) => Effect.fail(new CallFault({ reason: budgetFaults[reason] })))
          ),
          Effect.ensuring(guard.close)
        )
    )

  /** Holds a conversation on a leg, or on a line with sound. */
  const converseOn = (answeredLine: Leg | AudioLine, conversation: Held, { legOf }: TransferableCall) =>
    isAudioLine(answeredLine)
      ? Effect.scoped(
        Effect.flatMap(voicing.legOf(answeredLine, conversation.brief), (leg) => withinBudget(legOf(leg), conversation))
      )
      : withinBudget(legOf(answeredLine), conversation)

  /** Holds a conversation, and follows a call that it has joined with another one until somebody ends that or its time is up. */
  const hold = (answeredLine: Leg | AudioLine, recordedLine: AudioLine | undefined, conversation: Held) => {
    if (!isAudioLine(answeredLine) && answeredLine.immediate === true) return conversation.talk(answeredLine)
    // A joined call leaves the recorded line: the other person has consented to nothing.
    const call = Effect.flatMap(
      transferable(answeredLine, conversation),
      (call) =>
        Effect.tap(converseOn(recordedLine ?? answeredLine, conversation, call), () =>
          call.isJoined()
            ? conversation.ending(answeredLine.hangUp)(timeoutAt(conversation.deadline, Effect.void)(call.untilOver))
            : Effect.void)
    )
    return isAudioLine(answeredLine)
      ? Effect.ensuring(Effect.scoped(call), endWithTimeout(answeredLine.hangUp))
      : Effect.scoped(call)
  }

  /** Holds the conversation of an answered call, or goes on with one of which something is known. */
  return Effect.fnUntraced(
    function*(answeredLine: Leg | AudioLine, attempt: Attempt, knownCall: CallNotes = noCallNotes) {
      const now = yield* BusinessTime.now
      const interaction_id = knownCall.conversation?.interaction_id ?? (yield* ids.interactionId)
      const started_at = knownCall.conversation?.started_at ?? now
      const resumed_at = knownCall.steps.length > 0 ? [...knownCall.resumed_at, now] : knownCall.resumed_at
      yield* feed.publish(attempt, () => attemptAnswered(attempt, interaction_id, started_at))
      const isKept = isAudioLine(answeredLine) || answeredLine.immediate !== true
      if (isKept && knownCall.conversation === null) {
        yield* journal.note(attempt.attempt_id, { _tag: "Answered", interaction_id, started_at })
      }
      const signalling = isAudioLine(answeredLine) ? answeredLine.signalling?.() : undefined
      if (signalling !== undefined) yield* journal.note(attempt.attempt_id, { _tag: "Signalling", state: signalling })
      const start = yield* fiberStarter()
      const watch = yield* CallWatch
      const departure = makeDeparture()
      const logOf = callLogs(attempt.attempt_id, { departure, journal, start })
      const continuity = isAudioLine(answeredLine) ? undefined : answeredLine.continuity
      continuity?.keepIn(logOf("Line", knownCall.line))
      if (resumed_at.length > knownCall.resumed_at.length) {
        yield* journal.note(attempt.attempt_id, { _tag: "Resumed", at: now })
      }
      const plain = briefOf(attempt, limits)
      const isResumed = knownCall.conversation !== null
      const recording = isAudioLine(answeredLine)
        ? yield* recorder.record(answeredLine, { interaction_id, brief: plain, isResumed })
        : null
      const brief: CallBrief = {
        ...plain,
        ...(continuity !== undefined && { log: logOf("Step", knownCall.steps) }),
        ...(recording !== null && { recording: recording.control })
      }
      const note = (_tag: "Turn" | "Saying", turn: TurnText, at: number) =>
        isKept ? journal.note(attempt.attempt_id, { _tag, turn: transcriptTurn(turn, at) }) : Effect.void
      const tell = (turn: TurnText) =>
        Effect.flatMap(BusinessTime.now, (now) => {
          const publish = feed.publish(attempt, () => turnEvent(turn, { attempt, interaction_id, now }))
          return Effect.zipRight(note("Turn", turn, now), publish)
        })
      const tellPart = (turn: TurnText) =>
        void start(Effect.flatMap(BusinessTime.now, (now) => note("Saying", turn, now)))
      const notice = isResumed ? null : recording?.notice ?? null
      const talk = (line: Leg) => {
        const pausedLeg = recording === null ? line : withPauses(line, recording.control)
        const leg = tellTurns(watchedLeg(pausedLeg, watch), { tell, tellPart })
        return withNotice(leg, notice)(handler.handle(leg, brief))
      }
      let isHungUp = false
      const ending: Held["ending"] = (hangUp) =>
        registry.endingBy(
          attempt.attempt_id,
          Effect.suspend(() => {
            isHungUp = true
            return endWithTimeout(hangUp)
          })
        )
      const task = hold(answeredLine, recording?.line, {
        attempt,
        brief,
        deadline: started_at + maxMillis,
        ending,
        talk
      })
      const work = continuity === undefined
        ? task
        : registry.leavingBy(attempt.attempt_id, departure.leave(continuity.leave))(
          Effect.raceFirst(task, departure.interruption)
        )
      const meter = makeUsageMeter()
      const report = yield* work.pipe(
        Effect.catchAll((fault) => Effect.succeed(faultReport(attempt, fault))),
        Effect.catchAllDefect((defect) =>
          Effect.as(
            Effect.logError("A conversation failed unexpectedly", describeCause(Cause.die(defect))),
            faultReport(attempt, { reason: "internal: the conversation failed unexpectedly" })
          )
        ),
        Effect.annotateLogs({ attempt_id: attempt.attempt_id }),
        withConversationId(interaction_id),
        Effect.locally(CurrentUsage, meter)
      )
      const ended_at = yield* BusinessTime.now
      const trouble = answeredLine.trouble?.() ?? null
      const serviceUsages = meter.all()
      const usage = serviceUsages.length > 0 && { usage: serviceUsages }
      if (trouble?.isFailed === true) return { ...notConnected("provider_error", trouble.reason), ...usage }
      const remark = trouble === null ? isHungUp ? { trouble: hangUpCause } : {} : { trouble: trouble.reason }
      const resumptions = resumed_at.length > 0 && { resumed_at }
      const callRecording = recording === null ? null : yield* recording.end
      return {
        _tag: "Connected",
        interaction_id,
        started_at,
        ended_at,
        report,
        ...remark,
        ...resumptions,
        ...usage,
        ...(callRecording !== null && { recording: callRecording })
      } satisfies CallOutcome
    }
  )
})

/** A conversation with the limits that hold for it, and what to do when somebody ends it. */
interface Held {
  readonly attempt: Attempt
  readonly brief: CallBrief
  readonly deadline: number
  readonly talk: (leg: Leg) => Effect.Effect<CallReport, CallFault>
  /** Ends the call by an effect while another one runs. */
  readonly ending: (hangUp: Effect.Effect<void>) => <A, E>(talk: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

const budgetFaults = {
  deadline: "internal: the conversation exceeded its maximum duration",
  idle: "internal: the conversation was idle for too long"
}

/** Makes the brief of a conversation. */
export const briefOf = (attempt: Attempt, limits: CallLimits): CallBrief => ({
  attempt_id: attempt.attempt_id,
  scope: attempt,
  direction: attempt.kind === "inbound" ? "inbound" : "outbound",
  app_id: attempt.app_id,
  app_version: attempt.app_version,
  user_phone_number: attempt.user_phone_number,
  agent_phone_number: attempt.agent_phone_number,
  agent_variables: attempt.agent_variables,
  app_overrides: attempt.app_overrides,
  ...(attempt.answer_handling !== undefined && { answer_handling: attempt.answer_handling }),
  maxDuration: limits.maxDuration
})
