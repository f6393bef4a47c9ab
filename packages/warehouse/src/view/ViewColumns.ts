import { DateTime } from "effect"
import type { Fact, FactNames } from "../facts/Fact.js"

/** The table that analysts query (specification, Analytics boards, rule 6). */
export const viewName = "EngagementFactsBoardsView"

/** What a column holds: texts, figures, moments as `YYYY-MM-DDTHH:MM:SS.sssZ`, days as `YYYY-MM-DD`, JSON as text. */
export type ColumnKind = "String" | "Integer" | "Float" | "DateTime" | "Date" | "JSON"

/** One column of the view. */
export interface ViewColumn {
  readonly name: string
  readonly kind: ColumnKind
  readonly nullable: boolean
  /** One sentence for analysts. */
  readonly description: string
  /** The column that this is another name of. */
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
const maybeText = column("String", true)
const integer = column("Integer", false)
const maybeInteger = column("Integer", true)
const figure = column("Float", true)
const json = (name: string, description: string, of: (fact: Source) => object | null) =>
  column("JSON", true)(name, description, (fact) => {
    const value = of(fact)
    return value === null ? null : JSON.stringify(value)
  })

const iso = (at: DateTime.Utc | null): string | null => at && DateTime.formatIso(at)
const moment = (name: string, description: string, of: (fact: Source) => DateTime.Utc | null) =>
  column("DateTime", true)(name, description, (fact) => iso(of(fact)))

/** Asia/Kolkata has no daylight saving (specification: board days are Indian days). */
const india = DateTime.zoneMakeOffset(5.5 * 60 * 60 * 1000)
const indian = (fact: Source) => DateTime.setZone(effective(fact), india)
const effective = (fact: Source): DateTime.Utc => fact.start_datetime ?? fact.executed_at

/** Single calls name a person by their number where nothing else is given (shapes 5.1). */
const shownIdentifier = ({ user_identifier, user_phone_number }: Source): string =>
  user_phone_number.startsWith("*") && /^\+\d+$/.test(user_identifier) &&
    user_identifier.endsWith(user_phone_number.slice(-4))
    ? user_phone_number
    : user_identifier

/** The columns that hold something of their own (shapes 7.4, design: boards 3.3). */
const own: ReadonlyArray<ViewColumn> = [
  text("attempt_id", "The attempt: one dial or one arrival.", (fact) => fact.attempt_id),
  maybeText("interaction_id", "The conversation; null when nobody talked.", (fact) => fact.interaction_id),
  column("DateTime", false)(
    "effective_datetime",
    "When the conversation began, or when it was dialled if none did; filter on it.",
    (fact) => iso(effective(fact))
  ),
  column("Date", false)(
    "effective_date",
    "The day of effective_datetime in Asia/Kolkata.",
    (fact) => DateTime.formatIsoDate(indian(fact))
  ),
  integer(
    "effective_hour",
    "The hour of effective_datetime in Asia/Kolkata, 0 to 23.",
    (fact) => DateTime.getPart(indian(fact), "hours")
  ),
  text("app_id", "The agent.", (fact) => fact.app_id),
  integer("app_version", "The version of the agent.", (fact) => fact.app_version),
  maybeText("app_name", "What people call the agent.", (fact) => fact.app_name),
  text("direction", "Who began it: inbound, campaign or outbound (a single call).", (fact) => fact.direction),
  text("channel_direction", "inbound or outbound.", (fact) => fact.direction === "inbound" ? "inbound" : "outbound"),
  text("channel_type", "v2v for voice.", (fact) => fact.channel_type),
  text("channel_provider", "The telephony provider.", (fact) => fact.channel_provider),
  text("channel_protocol", "How speech travelled, such as sip.", (fact) => fact.channel_protocol),
  maybeText("deployment_id", "The deployment that answered; null for outbound calls.", (fact) => fact.deployment_id),
  maybeText("campaign_id", "The campaign that dialled; null without one.", (fact) => fact.campaign_id),
  maybeText("campaign_name", "The name of the campaign.", (fact) => fact.campaign_name),
  maybeText("cohort_id", "The cohort that the person came from; null without one.", (fact) => fact.cohort_id),
  maybeText("cohort_name", "The name of the cohort.", (fact) => fact.cohort_name),
  text(
    "user_identifier",
    "Whom the attempt was for, as the cohort names them; a number that stands in for a name is hidden as numbers are.",
    shownIdentifier
  ),
  text(
    "user_phone_number",
    "The person's number, hidden but for its last four digits unless numbers are exposed.",
    (fact) => fact.user_phone_number
  ),
  text(
    "user_contact_hashed",
    "A hash that is the same for the same number: count distinct people by it.",
    (fact) => fact.user_contact_hashed
  ),
  maybeText("agent_phone_number", "The agent's own number.", (fact) => fact.agent_phone_number),
  maybeText("language_name", "The language of the conversation.", (fact) => fact.language_name),
  integer("retry_attempt", "How many attempts the campaign made for this person before.", (fact) => fact.retry_attempt),
  text("completion_status", "completed, partial or failed.", (fact) => fact.completion_status),
  maybeText(
    "v2v_connectivity_status",
    "connected, busy, no_answer or failed; null when a fault of ours hid it.",
    (fact) => fact.connectivity_status
  ),
  maybeText(
    "next_action_status",
    "What happens next for this person; null is the end.",
    (fact) => fact.next_action_status
  ),
  maybeText("failure_reason", "Why the attempt failed; null otherwise.", (fact) => fact.failure_reason),
  maybeText("ended_by", "AGENT_ENDS, USER_ENDS, PROVIDER_ENDS, TIMEOUT or UNKNOWN.", (fact) => fact.ended_by),
  moment("scheduled_at", "When the attempt was decided on.", (fact) => fact.scheduled_at),
  moment("executed_at", "When it was dialled or arrived.", (fact) => fact.executed_at),
  moment("start_datetime", "When the conversation began; null without one.", (fact) => fact.start_datetime),
  moment("end_datetime", "When the conversation ended; null without one.", (fact) => fact.end_datetime),
  figure("audio_duration", "Seconds of conversation; null without one.", (fact) => fact.duration),
  figure("ring_seconds", "Seconds from dialling to the conversation; null without one.", (fact) => fact.ring_seconds),
  maybeInteger("num_messages", "Turns of both sides together.", (fact) => fact.num_messages),
  maybeInteger("user_turns", "Turns of the person.", (fact) => fact.user_turns),
  maybeInteger("agent_turns", "Turns of the agent.", (fact) => fact.agent_turns),
  figure(
    "average_agent_response_time_in_seconds",
    "How long the agent took to answer, on average.",
    (fact) => fact.average_agent_response_time_in_seconds
  ),
  figure(
    "average_user_response_time_in_seconds",
    "How long the person took to answer, on average.",
    (fact) => fact.average_user_response_time_in_seconds
  ),
  integer("is_debug_call", "1 for test calls, otherwise 0.", (fact) => fact.is_debug_call),
  integer("has_log_issues", "1 when the call's log has faults, otherwise 0.", (fact) => fact.has_log_issues),
  figure("cost_amount", "What the call cost; null where no prices are set.", (fact) => fact.cost_amount),
  maybeText("cost_currency", "The currency of cost_amount, by ISO 4217.", (fact) => fact.cost_currency),
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
    "What the agent collected during the call; null without a conversation.",
    (fact) => fact.output_agent_variables
  ),
  json("metadata", "The metadata of the campaign's webhook or of the single call.", (fact) => fact.metadata)
]

/** Second names, so that queries written for either list of columns run (shapes 7.4, design: boards 3.3). */
const aliases: Readonly<Record<string, string>> = {
  connectivity_status: "v2v_connectivity_status",
  language: "language_name",
  duration: "audio_duration",
  hangup_by: "ended_by",
  initial_agent_variables: "on_start_agent_variables",
  final_agent_variables: "on_end_agent_variables"
}

/** Every column of the view that is kept. */
export const keptColumns = own

/** Every column of the view, in the order in which `select *` gives them: those that are kept, then their second names. */
export const viewColumns: ReadonlyArray<ViewColumn> = [
  ...own,
  ...Object.entries(aliases).flatMap(([name, sameAs]) =>
    own.filter((column) => column.name === sameAs).map((column) => ({
      ...column,
      name,
      sameAs,
      description: `The same as ${sameAs}.`
    }))
  )
]

/** The type of a column as the API spells it: `String`, `Nullable Float`. */
export const typeOf = ({ kind, nullable }: ViewColumn): string => nullable ? `Nullable ${kind}` : kind
