import { issueType } from "@trunkline/errors"
import { maskPhone } from "@trunkline/kernel"
import { type DateTime, Schema } from "effect"
import type { CallRecord, ConversationRecord } from "./CallRecord.js"

/** A text field of calls. */
export interface TextField {
  readonly kind: "string"
  readonly of: (record: CallRecord) => string | null
}

/** A number field of calls. */
export interface NumberField {
  readonly kind: "number"
  readonly of: (record: CallRecord) => number | null
}

/** A time field of calls, in milliseconds since 1970. */
export interface TimeField {
  readonly kind: "datetime"
  readonly of: (record: CallRecord) => number | null
}

/** An entry of the field catalogue. */
export type Field = TextField | NumberField | TimeField

const text = (of: TextField["of"]): TextField => ({ kind: "string", of })
const number = (of: NumberField["of"]): NumberField => ({ kind: "number", of })
const time = (of: (record: CallRecord) => DateTime.Utc | null): TimeField => ({
  kind: "datetime",
  of: (record) => of(record)?.epochMillis ?? null
})
const ofConversation = <A>(of: (conversation: ConversationRecord) => A | null) => (record: CallRecord) =>
  record.conversation === null ? null : of(record.conversation)

/**
 * Catalogue of the fields by which calls are filtered and sorted: all text, number and time fields of attempts and
 * interactions, except for the full phone number.
 */
export const fields = {
  attempt_id: text((call) => call.attempt_id),
  interaction_id: text(ofConversation((conversation) => conversation.interaction_id)),
  app_id: text((call) => call.app_id),
  deployment_id: text((call) => call.deployment_id),
  campaign_id: text((call) => call.campaign_id),
  cohort_id: text((call) => call.cohort_id),
  user_identifier: text((call) => call.user_identifier),
  user_contact_masked: text((call) => maskPhone(call.user_contact)),
  user_contact_hashed: text((call) => call.user_contact_hashed),
  channel_direction: text((call) => call.channel_direction),
  channel_type: text((call) => call.channel_type),
  channel_provider: text((call) => call.channel_provider),
  channel_protocol: text((call) => call.channel_protocol),
  job_id: text((call) => call.job_id),
  correlation_id: text((call) => call.correlation_id),
  completion_status: text((call) => call.completion_status),
  connectivity_status: text((call) => call.connectivity_status),
  next_action_status: text((call) => call.next_action_status),
  failure_reason: text((call) => call.failure_reason),
  language_name: text(ofConversation((conversation) => conversation.language_name)),
  audio_url: text(ofConversation((conversation) => conversation.audio_url)),
  ended_by: text(ofConversation((conversation) => conversation.ended_by)),
  app_version: number((call) => call.app_version),
  retry_attempt: number((call) => call.retry_attempt),
  server_retry_attempt: number((call) => call.server_retry_attempt),
  is_debug_call: number((call) => call.is_debug_call),
  has_log_issues: number((call) => call.has_log_issues),
  duration_in_seconds: number(ofConversation((conversation) => conversation.duration_in_seconds)),
  num_messages: number(ofConversation((conversation) => conversation.num_messages)),
  average_agent_response_time_in_seconds: number(
    ofConversation((conversation) => conversation.average_agent_response_time_in_seconds)
  ),
  average_user_response_time_in_seconds: number(
    ofConversation((conversation) => conversation.average_user_response_time_in_seconds)
  ),
  attempted_at: time((call) => call.attempted_at),
  start_datetime: time(ofConversation((conversation) => conversation.start_datetime)),
  end_datetime: time(ofConversation((conversation) => conversation.end_datetime))
} satisfies Record<string, Field>

/** Name of a catalogued field. */
export type FieldName = keyof typeof fields

/** True for the name of a catalogued field. */
export const isFieldName = (name: string): name is FieldName => Object.hasOwn(fields, name)

/** Names of all catalogued fields, in order. */
export const fieldNames: ReadonlyArray<FieldName> = Object.keys(fields).filter(isFieldName)

const variablePrefix = "agent_variables."

/** Name of the variable in `agent_variables.<name>`; null for other fields. */
export const variableName = (field: string): string | null =>
  field.startsWith(variablePrefix) && field.length > variablePrefix.length ? field.slice(variablePrefix.length) : null

/** Field of a condition: a catalogued field or `agent_variables.<name>`. */
export const FilterField = Schema.String.pipe(
  Schema.filter((field) => isFieldName(field) || variableName(field) !== null, {
    message: () => "Must be a field of the record, or agent_variables.<name>",
    ...issueType("enum")
  })
)

/** Kind of a field; variables are text. */
export const fieldKind = (field: string): Field["kind"] => isFieldName(field) ? fields[field].kind : "string"

/**
 * Value of a field of a record; null if there is none. Times are milliseconds since 1970. Numbers and booleans of variables
 * are text as in JSON.
 */
export const fieldValue = (record: CallRecord, field: string): string | number | null => {
  if (isFieldName(field)) return fields[field].of(record)
  const variables = record.conversation?.agent_variables ?? {}
  const name = variableName(field)
  const value = name !== null && Object.hasOwn(variables, name) ? variables[name] : null
  return value === null || value === undefined ? null : String(value)
}
