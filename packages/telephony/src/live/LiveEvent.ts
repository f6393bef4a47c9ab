import {
  AppId,
  AttemptId,
  CampaignId,
  canaryEndedFields,
  CohortId,
  CompletionStatus,
  ConnectivityStatus,
  DeploymentId,
  InteractionId,
  maskPhone,
  NextActionStatus,
  PhoneNumber,
  Timestamp
} from "@trunkline/kernel"
import { DateTime, Schema } from "effect"
import type { Attempt, AttemptResult } from "../call/Attempt.js"
import type { TranscriptTurn } from "../call/CallHandler.js"
import { durationSeconds } from "../call/CallOutcome.js"
import { LineDetail } from "../lines/LineDetail.js"

const moment = { at: Timestamp, attempt_id: AttemptId, campaign_id: Schema.NullOr(CampaignId) }

/** A call was dialled or arrived. */
const AttemptStarted = Schema.Struct({
  type: Schema.Literal("attempt.started"),
  ...moment,
  kind: Schema.Literal("campaign", "outbound", "inbound"),
  app_id: AppId,
  app_version: Schema.Int,
  cohort_id: Schema.NullOr(CohortId),
  deployment_id: Schema.NullOr(DeploymentId),
  /** All but the last four digits hidden: `******3210`. */
  user_contact_masked: Schema.String,
  agent_phone_number: PhoneNumber,
  retry_attempt: Schema.Int
})

/** The call was answered and the conversation begins. */
const AttemptAnswered = Schema.Struct({
  type: Schema.Literal("attempt.answered"),
  ...moment,
  interaction_id: InteractionId
})

/** Text that was said, as far as it was heard. */
const Turn = Schema.Struct({
  type: Schema.Literal("turn"),
  ...moment,
  interaction_id: InteractionId,
  role: Schema.Literal("agent", "user"),
  text: Schema.String,
  /** English translation, when another language was spoken and the line provides one. */
  en_text: Schema.NullOr(Schema.String),
  language_name: Schema.NullOr(Schema.String)
})

/** The call has ended and its result is stored. */
const AttemptEnded = Schema.Struct({
  type: Schema.Literal("attempt.ended"),
  ...moment,
  interaction_id: Schema.NullOr(InteractionId),
  completion_status: CompletionStatus,
  connectivity_status: Schema.NullOr(ConnectivityStatus),
  next_action_status: Schema.NullOr(NextActionStatus),
  failure_reason: Schema.NullOr(Schema.String),
  /** Seconds; null when not connected. */
  duration: Schema.NullOr(Schema.Number)
})

/** Words of a call, as far as it was heard. */
const SaidTurn = Schema.Struct({
  at: Timestamp,
  role: Schema.Literal("agent", "user"),
  text: Schema.String,
  en_text: Schema.NullOr(Schema.String),
  language_name: Schema.NullOr(Schema.String)
})

/** A call that went on when the feed was opened, for those who ask for it; `at` is the moment of opening. */
const AttemptOngoing = Schema.Struct({
  ...AttemptStarted.fields,
  type: Schema.Literal("attempt.ongoing"),
  /** Time of the dial, or of the arrival. */
  started_at: Timestamp,
  /** Null while it rings, as the next field. */
  answered_at: Schema.NullOr(Timestamp),
  interaction_id: Schema.NullOr(InteractionId),
  /** Turns up to now; none of a call whose conversation takes no time. */
  turns: Schema.Array(SaidTurn)
})

/** The state of a phone line has changed: its health, registration or reachability. */
const LineChanged = Schema.Struct({ type: Schema.Literal("line.changed"), at: Timestamp, line: LineDetail })

/**
 * A campaign has ended the trial of a version of its agent: by itself because its outcomes were worse, by a request, or with the
 * campaign.
 */
const CanaryEnded = Schema.Struct(canaryEndedFields)

/** Number of events dropped at this point because the watcher was too slow (docs/decisions.md, 33). */
const Missed = Schema.Struct({ type: Schema.Literal("missed"), count: Schema.Int })

/** A live event of a workspace's calls. Times are business time. */
export const LiveEvent = Schema.Union(
  AttemptStarted,
  AttemptAnswered,
  Turn,
  AttemptEnded,
  AttemptOngoing,
  LineChanged,
  CanaryEnded,
  Missed
)
export type LiveEvent = typeof LiveEvent.Type

/** Returns true for the events that a watcher of one campaign sees: those of its calls, and the counts of missed events. */
export const isEventOf = (event: LiveEvent, campaign: string): boolean =>
  event.type === "missed" || (event.type !== "line.changed" && event.campaign_id === campaign)

const dateOf = (at: number) => DateTime.unsafeMake(Math.floor(at))

/** Makes the event of a line whose state changed by `at`, in epoch milliseconds. */
export const lineChanged = (line: LineDetail, at: number): LiveEvent => ({ type: "line.changed", at: dateOf(at), line })

const descriptionOf = (attempt: Attempt) => ({
  attempt_id: attempt.attempt_id,
  kind: attempt.kind,
  app_id: attempt.app_id,
  app_version: attempt.app_version,
  campaign_id: attempt.campaign_id,
  cohort_id: attempt.cohort_id,
  deployment_id: attempt.deployment_id,
  user_contact_masked: maskPhone(attempt.user_phone_number),
  agent_phone_number: attempt.agent_phone_number,
  retry_attempt: attempt.retry_attempt
})

/** Makes the event of a call that starts at `at`, in epoch milliseconds. */
export const attemptStarted = (attempt: Attempt, at: number): LiveEvent => ({
  type: "attempt.started",
  at: dateOf(at),
  ...descriptionOf(attempt)
})

/** A conversation as far as it was noted. */
interface NotedConversation {
  readonly interaction_id: InteractionId
  /** Epoch milliseconds. */
  readonly started_at: number
  readonly transcript: ReadonlyArray<TranscriptTurn>
}

/** Makes the event of a call that goes on at `at`, in epoch milliseconds; what was noted later is left out. */
export const attemptOngoing = (
  attempt: Attempt,
  notedConversation: NotedConversation | null,
  at: number
): LiveEvent => {
  const isPast = (moment: number) => Math.floor(moment) <= Math.floor(at)
  const conversation = notedConversation !== null && isPast(notedConversation.started_at) ? notedConversation : null
  return {
    type: "attempt.ongoing",
    at: dateOf(at),
    ...descriptionOf(attempt),
    started_at: dateOf(attempt.attempted_at),
    answered_at: conversation === null ? null : dateOf(conversation.started_at),
    interaction_id: conversation?.interaction_id ?? null,
    turns: (conversation?.transcript ?? []).flatMap(({ at, en_text, indic_text, language_name, role }) => {
      if (role === "tool" || !isPast(at)) return []
      const isTranslated = indic_text !== null && indic_text !== en_text
      return [{
        at: dateOf(at),
        role,
        text: indic_text ?? en_text,
        en_text: isTranslated ? en_text : null,
        language_name
      }]
    })
  }
}

/** Makes the event of a call that was answered at `at`, in epoch milliseconds. */
export const attemptAnswered = (
  { attempt_id, campaign_id }: Attempt,
  interaction_id: InteractionId,
  at: number
): LiveEvent => ({
  type: "attempt.answered",
  at: dateOf(at),
  attempt_id,
  campaign_id,
  interaction_id
})

/** Makes the event of an attempt that has ended. */
export const attemptEnded = ({ attempt_id, campaign_id }: Attempt, result: AttemptResult): LiveEvent => ({
  type: "attempt.ended",
  at: dateOf(result.finished_at),
  attempt_id,
  campaign_id,
  interaction_id: result.interaction?.interaction_id ?? null,
  completion_status: result.completion_status,
  connectivity_status: result.connectivity_status,
  next_action_status: result.next_action_status,
  failure_reason: result.failure_reason,
  duration: result.interaction === null ? null : durationSeconds(result.interaction)
})
