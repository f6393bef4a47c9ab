import { issueType } from "@trunkline/errors"
import { maskPhone } from "@trunkline/kernel"
import { type DateTime, Schema } from "effect"
import type { CallRecord, Conversation } from "./CallRecord.js"

/** A text that a call may have. */
export interface TextField {
  readonly kind: "string"
  readonly of: (record: CallRecord) => string | null
}

/** A figure that a call may have. */
export interface NumberField {
  readonly kind: "number"
  readonly of: (record: CallRecord) => number | null
}

/** A moment that a call may have, in epoch milliseconds. */
export interface MomentField {
  readonly kind: "datetime"
  readonly of: (record: CallRecord) => number | null
}

/** One entry of the catalog. */
export type Field = TextField | NumberField | MomentField

const text = (of: TextField["of"]): TextField => ({ kind: "string", of })
const number = (of: NumberField["of"]): NumberField => ({ kind: "number", of })
const moment = (of: (record: CallRecord) => DateTime.Utc | null): MomentField => ({
  kind: "datetime",
  of: (record) => of(record)?.epochMillis ?? null
})
const talk = <A>(of: (conversation: Conversation) => A | null) => (record: CallRecord) =>
  record.conversation === null ? null : of(record.conversation)

/**
 * What calls are filtered and sorted by: every text, figure and moment of an item, for attempts and for
 * interactions alike, but never the bare number (shapes 0.4 and 6.3).
 */
export const fields = {
  attempt_id: text((call) => call.attempt_id),
  interaction_id: text(talk((conversation) => conversation.interaction_id)),
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
  language_name: text(talk((conversation) => conversation.language_name)),
  audio_url: text(talk((conversation) => conversation.audio_url)),
  ended_by: text(talk((conversation) => conversation.ended_by)),
  app_version: number((call) => call.app_version),
  retry_attempt: number((call) => call.retry_attempt),
  server_retry_attempt: number((call) => call.server_retry_attempt),
  is_debug_call: number((call) => call.is_debug_call),
  has_log_issues: number((call) => call.has_log_issues),
  duration_in_seconds: number(talk((conversation) => conversation.duration_in_seconds)),
  num_messages: number(talk((conversation) => conversation.num_messages)),
  average_agent_response_time_in_seconds: number(
    talk((conversation) => conversation.average_agent_response_time_in_seconds)
  ),
  average_user_response_time_in_seconds: number(
    talk((conversation) => conversation.average_user_response_time_in_seconds)
  ),
  attempted_at: moment((call) => call.attempted_at),
  start_datetime: moment(talk((conversation) => conversation.start_datetime)),
  end_datetime: moment(talk((conversation) => conversation.end_datetime))
} satisfies Record<string, Field>

/** The name of a field to filter or sort by. */
export type FieldName = keyof typeof fields

/** Whether there is a field of this name. */
export const isFieldName = (name: string): name is FieldName => Object.hasOwn(fields, name)

/** The names of all fields, in the order of the catalog. */
export const fieldNames: ReadonlyArray<FieldName> = Object.keys(fields).filter(isFieldName)

const variablePrefix = "agent_variables."

/** The variable that `agent_variables.<name>` asks for, or null when the text is no such field (shapes 6.3). */
export const variableName = (field: string): string | null =>
  field.startsWith(variablePrefix) && field.length > variablePrefix.length ? field.slice(variablePrefix.length) : null

/** A field that conditions may name: one of the catalog, or `agent_variables.<name>`. */
export const FilterField = Schema.String.pipe(
  Schema.filter((field) => isFieldName(field) || variableName(field) !== null, {
    message: () => "Must be a field of the record, or agent_variables and a name with a dot between",
    ...issueType("enum")
  })
)

/** How a field is compared; variables are texts. */
export const kindOf = (field: string): Field["kind"] => isFieldName(field) ? fields[field].kind : "string"

/**
 * What a record holds in a field; null when it holds nothing. Moments are epoch milliseconds; a variable's figures
 * and truth values are texts, as JSON writes them.
 */
export const valueOf = (record: CallRecord, field: string): string | number | null => {
  if (isFieldName(field)) return fields[field].of(record)
  const variables = record.conversation?.agent_variables ?? {}
  const name = variableName(field)
  const value = name !== null && Object.hasOwn(variables, name) ? variables[name] : null
  return value === null || value === undefined ? null : String(value)
}
