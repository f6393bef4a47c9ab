import { DateTime } from "effect"
import type { Fact, FactNames } from "./Fact.js"

/** Name of the table that analysts query. */
export const viewName = "EngagementFactsBoardsView"

/** Type of a column: text, numbers, times as `YYYY-MM-DDTHH:MM:SS.sssZ`, days as `YYYY-MM-DD`, JSON as text. */
export type ColumnKind = "String" | "Integer" | "Float" | "DateTime" | "Date" | "JSON"

/** A column of the view. */
export interface ViewColumn {
  readonly name: string
  readonly kind: ColumnKind
  readonly nullable: boolean
  /** One sentence for analysts. */
  readonly description: string
  /** The column that this one is an alias of. */
  readonly sameAs?: string
  readonly of: (fact: Fact & FactNames) => string | number | null
}

type Source = Fact & FactNames

const column =
  (kind: ColumnKind, nullable: boolean) => (name: string, description: string, of: ViewColumn["of"]): ViewColumn => ({
    name,
    kind,
    nullable,
    description,
    of
  })

const text = column("String", false)
const nullableText = column("String", true)
const integer = column("Integer", false)
const nullableInteger = column("Integer", true)
const nullableFloat = column("Float", true)
const json = (name: string, description: string, of: (fact: Source) => object | null) =>
  column("JSON", true)(name, description, (fact) => {
    const value = of(fact)
    return value === null ? null : JSON.stringify(value)
  })

const iso = (at: DateTime.Utc | null): string | null => at && DateTime.formatIso(at)
const nullableTime = (name: string, description: string, of: (fact: Source) => DateTime.Utc | null) =>
  column("DateTime", true)(name, description, (fact) => iso(of(fact)))

/** Asia/Kolkata has no daylight saving time. Days of boards are Indian days. */
const india = DateTime.zoneMakeOffset(5.5 * 60 * 60 * 1000)
const indianTime = (fact: Source) => DateTime.setZone(effectiveTime(fact), india)
const effectiveTime = (fact: Source): DateTime.Utc => fact.start_datetime ?? fact.executed_at

/** Single calls use the phone number as identifier when no other is given; it is masked like the number. */
const publicIdentifier = ({ user_identifier, user_phone_number }: Source): string =>
  user_phone_number.startsWith("*") && /^\+\d+$/.test(user_identifier) &&
    user_identifier.endsWith(user_phone_number.slice(-4))
    ? user_phone_number
    : user_identifier

/** Columns that the facts table stores. */
export const storedColumns: ReadonlyArray<ViewColumn> = [
  text("attempt_id", "The attempt: one outbound dial or one inbound call.", (fact) => fact.attempt_id),
  nullableText("interaction_id", "The conversation; null without one.", (fact) => fact.interaction_id),
  column("DateTime", false)(
    "effective_datetime",
    "Start of the conversation, or the dial time without one; filter on it.",
    (fact) => iso(effectiveTime(fact))
  ),
  column("Date", false)(
    "effective_date",
    "The day of effective_datetime in Asia/Kolkata.",
    (fact) => DateTime.formatIsoDate(indianTime(fact))
  ),
  integer(
    "effective_hour",
    "The hour of effective_datetime in Asia/Kolkata, 0 to 23.",
    (fact) => DateTime.getPart(indianTime(fact), "hours")
  ),
  text("app_id", "The agent.", (fact) => fact.app_id),
  integer("app_version", "The version of the agent.", (fact) => fact.app_version),
  nullableText("app_name", "The name of the agent.", (fact) => fact.app_name),
  text("direction", "inbound, campaign, or outbound (a single call).", (fact) => fact.direction),
  text("channel_direction", "inbound or outbound.", (fact) => fact.direction === "inbound" ? "inbound" : "outbound"),
  text("channel_type", "v2v for voice.", (fact) => fact.channel_type),
  text("channel_provider", "The telephony provider.", (fact) => fact.channel_provider),
  text("channel_protocol", "The media protocol, such as sip.", (fact) => fact.channel_protocol),
  nullableText("deployment_id", "The deployment that answered; null for outbound calls.", (fact) => fact.deployment_id),
  nullableText("campaign_id", "The campaign that dialled; null without one.", (fact) => fact.campaign_id),
  nullableText("campaign_name", "The name of the campaign.", (fact) => fact.campaign_name),
  nullableText("cohort_id", "The cohort of the contact; null without one.", (fact) => fact.cohort_id),
  nullableText("cohort_name", "The name of the cohort.", (fact) => fact.cohort_name),
  text(
    "user_identifier",
    "The contact's identifier in the cohort; a phone number used as identifier is masked like user_phone_number.",
    publicIdentifier
  ),
  text(
    "user_phone_number",
    "The contact's number, masked except for its last four digits unless numbers are exposed.",
    (fact) => fact.user_phone_number
  ),
  text(
    "user_contact_hashed",
    "A hash of the number; use it to count distinct contacts.",
    (fact) => fact.user_contact_hashed
  ),
  nullableText("agent_phone_number", "The agent's own number.", (fact) => fact.agent_phone_number),
  nullableText("language_name", "The language of the conversation.", (fact) => fact.language_name),
  nullableText(
    "canary_arm",
    "canary or control while the campaign tried a version of its agent on some contacts; null otherwise.",
    (fact) => fact.canary_arm ?? null
  ),
  integer("retry_attempt", "Earlier attempts of the campaign for this contact.", (fact) => fact.retry_attempt),
  text("completion_status", "completed, partial or failed.", (fact) => fact.completion_status),
  nullableText(
    "v2v_connectivity_status",
    "connected, busy, no_answer or failed; null after an internal error.",
    (fact) => fact.connectivity_status
  ),
  nullableText(
    "next_action_status",
    "Next step for this contact; null when finished.",
    (fact) => fact.next_action_status
  ),
  nullableText("failure_reason", "The reason of a failed attempt; null otherwise.", (fact) => fact.failure_reason),
  nullableText(
    "opt_out",
    "The words by which the caller refused all further calls; null without any.",
    (fact) => fact.opt_out ?? null
  ),
  nullableText(
    "answered_by",
    "person, machine, screening, ivr, fax, network or silence; null where nobody was to find out.",
    (fact) => fact.answered_by ?? null
  ),
  nullableText(
    "answer_action",
    "none, hung_up, message_left or announced; null where nobody was to find out.",
    (fact) => fact.answer_action ?? null
  ),
  nullableText("ended_by", "AGENT_ENDS, USER_ENDS, PROVIDER_ENDS, TIMEOUT or UNKNOWN.", (fact) => fact.ended_by),
  nullableTime("scheduled_at", "When the attempt was scheduled.", (fact) => fact.scheduled_at),
  nullableTime("executed_at", "When the call was dialled or arrived.", (fact) => fact.executed_at),
  nullableTime("start_datetime", "Start of the conversation; null without one.", (fact) => fact.start_datetime),
  nullableTime("end_datetime", "End of the conversation; null without one.", (fact) => fact.end_datetime),
  nullableFloat("audio_duration", "Seconds of conversation; null without one.", (fact) => fact.duration),
  nullableFloat(
    "ring_seconds",
    "Seconds from dialling to the conversation; null without one.",
    (fact) => fact.ring_seconds
  ),
  nullableInteger("num_messages", "Turns of both sides in total.", (fact) => fact.num_messages),
  nullableInteger("user_turns", "Turns of the contact.", (fact) => fact.user_turns),
  nullableInteger("agent_turns", "Turns of the agent.", (fact) => fact.agent_turns),
  nullableFloat(
    "average_agent_response_time_in_seconds",
    "Average response time of the agent, in seconds.",
    (fact) => fact.average_agent_response_time_in_seconds
  ),
  nullableFloat(
    "average_user_response_time_in_seconds",
    "Average response time of the contact, in seconds.",
    (fact) => fact.average_user_response_time_in_seconds
  ),
  integer("is_debug_call", "1 for test calls, otherwise 0.", (fact) => fact.is_debug_call),
  integer("has_log_issues", "1 when the call's log has issues, otherwise 0.", (fact) => fact.has_log_issues),
  nullableFloat("cost_amount", "Known cost of the call; null when no price is known.", (fact) => fact.cost_amount),
  nullableText("cost_currency", "The currency of cost_amount, by ISO 4217.", (fact) => fact.cost_currency),
  nullableInteger(
    "cost_complete",
    "1 when every price of the call is known, 0 when cost_amount is only a part of the cost.",
    (fact) => fact.cost_complete ?? null
  ),
  json(
    "on_start_agent_variables",
    "The agent's variables when the call began; read one with on_start_agent_variables ->> 'name'.",
    (fact) => fact.initial_agent_variables
  ),
  json(
    "on_end_agent_variables",
    "The agent's variables when the call ended; null without a conversation.",
    (fact) => fact.final_agent_variables
  ),
  json(
    "output_agent_variables",
    "Variables that the agent collected during the call; null without a conversation.",
    (fact) => fact.output_agent_variables
  ),
  nullableText(
    "summary",
    "Summary of the conversation, written after the call; null without one.",
    (fact) => fact.summary ?? null
  ),
  json(
    "output_variables",
    "The agent's output variables in their types, from the call or found out after it; null without after_call.",
    (fact) => fact.output_variables ?? null
  ),
  nullableText(
    "extraction_status",
    "State of the work after the call: pending, done, failed or skipped; null without after_call.",
    (fact) => fact.extraction_status ?? null
  ),
  json("metadata", "The metadata of the campaign's webhook or of the single call.", (fact) => fact.metadata)
]

/** Alternative column names. */
const aliases: Readonly<Record<string, string>> = {
  connectivity_status: "v2v_connectivity_status",
  language: "language_name",
  duration: "audio_duration",
  hangup_by: "ended_by",
  initial_agent_variables: "on_start_agent_variables",
  final_agent_variables: "on_end_agent_variables"
}

/** Columns of the view in `select *` order: stored columns, then aliases. */
export const viewColumns: ReadonlyArray<ViewColumn> = [
  ...storedColumns,
  ...Object.entries(aliases).flatMap(([name, sameAs]) =>
    storedColumns.filter((column) => column.name === sameAs).map((column) => ({
      ...column,
      name,
      sameAs,
      description: `The same as ${sameAs}.`
    }))
  )
]

/** Type of a column as the API shows it: `String`, `Nullable Float`. */
export const columnTypeOf = ({ kind, nullable }: ViewColumn): string => nullable ? `Nullable ${kind}` : kind
