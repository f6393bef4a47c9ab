import {
  AppId,
  AttemptId,
  CampaignId,
  CohortId,
  DeploymentId,
  InteractionId,
  OrgId,
  PhoneNumber,
  Scope,
  WorkspaceId
} from "@trunkline/kernel"
import { DateTime } from "effect"
import { CallRecord, type ConversationRecord, type ModelInput, Transcript } from "../CallRecord.js"
import { fieldKind, fieldValue } from "../Fields.js"
import { type FilterCondition, OrderOperator, TextOperator } from "../FilterConditions.js"

/** Workspace and agent of a call. */
export interface CallPlace {
  readonly scope: Scope
  readonly app_id: AppId
}

/** A separate workspace for a test, with an agent. */
export const testPlace = (name: string): CallPlace => ({
  scope: new Scope({ org_id: OrgId.make(`org-${name}`), workspace_id: WorkspaceId.make("main") }),
  app_id: AppId.make("support")
})

const midnight = DateTime.unsafeMake("2026-01-01T00:00:00Z")

/** Time on 1 January 2026, in seconds after midnight UTC. */
export const atSecond = (seconds: number): DateTime.Utc => DateTime.add(midnight, { seconds })

/** Id of an attempt by its number. */
export const attemptId = ({ scope }: CallPlace, number: number): AttemptId =>
  AttemptId.make(`${scope.org_id}-${String(number).padStart(3, "0")}`)

/** Id of the conversation of an attempt by its number. */
export const interactionId = (place: CallPlace, number: number): InteractionId =>
  InteractionId.make(`20260101-${attemptId(place, number)}`)

const conversation = (place: CallPlace, number: number): ConversationRecord => ({
  interaction_id: interactionId(place, number),
  start_datetime: atSecond(number + 5),
  end_datetime: atSecond(number + 65),
  duration_in_seconds: 60,
  language_name: "Hindi",
  num_messages: 4,
  average_agent_response_time_in_seconds: 0.75,
  average_user_response_time_in_seconds: null,
  audio_url: null,
  ended_by: "AGENT_ENDS",
  agent_variables: { name: "Asha" }
})

/** Overrides for a call; `conversation: null` removes the conversation. */
export type CallChange = Partial<Omit<CallRecord, "conversation">> & {
  readonly conversation?: Partial<ConversationRecord> | null
}

/** A connected call of a campaign, dialled `number` seconds after midnight, with overrides. */
export const callRecord = (place: CallPlace, number: number, change: CallChange = {}): CallRecord =>
  new CallRecord({
    ...place.scope,
    app_id: place.app_id,
    attempt_id: attemptId(place, number),
    app_version: 1,
    deployment_id: null,
    campaign_id: CampaignId.make("camp-a1b2c3d4e5f6"),
    cohort_id: CohortId.make("coh-a1b2c3d4e5f6"),
    user_identifier: `user-${number}`,
    user_contact: PhoneNumber.make("+919876543210"),
    user_contact_hashed: "5f".repeat(32),
    channel_direction: "outbound",
    channel_type: "v2v",
    channel_provider: "simulator",
    channel_protocol: "simulated",
    retry_attempt: 0,
    server_retry_attempt: 0,
    is_debug_call: 0,
    has_log_issues: 0,
    job_id: null,
    correlation_id: null,
    attempted_at: atSecond(number),
    completion_status: "completed",
    connectivity_status: "connected",
    next_action_status: null,
    failure_reason: null,
    ...change,
    conversation: change.conversation === null ? null : { ...conversation(place, number), ...change.conversation }
  })

/** Overrides for an unanswered call. */
export const unanswered: CallChange = {
  conversation: null,
  completion_status: "failed",
  connectivity_status: "no_answer",
  next_action_status: "retry"
}

/** Transcript of a call with one sentence. */
export const transcriptOf = (place: CallPlace, number: number, en_text: string): Transcript =>
  new Transcript({
    interaction_id: interactionId(place, number),
    messages: [{
      role: "agent",
      en_text,
      indic_text: null,
      language_name: "English",
      timestamp: atSecond(number)
    }]
  })

/** Requests to the model in a call of one answer. */
export const modelInputsOf = (number: number): ReadonlyArray<ModelInput> => [{
  at: atSecond(number),
  turn: 1,
  model: "voice-1",
  system: "You are \"Asha\".",
  tools: ["end_call"],
  options: { effort: null, temperature: 0.5 },
  kept_messages: 0,
  messages: [
    { role: "user", content: "नमस्ते \u2028 <b>" },
    { role: "assistant", content: null, tool_calls: [{ name: "look", arguments: "{\"a\":1}" }] },
    { role: "tool", content: "7", tool_name: "look" }
  ],
  omitted: 0,
  outcome: "failed",
  failure: "The model did not answer in time",
  input_tokens: 12,
  output_tokens: null
}]

/** Twelve calls that vary every catalogued field and contain characters that break careless queries. */
export const variedCalls = (place: CallPlace): ReadonlyArray<CallRecord> => [
  callRecord(place, 1),
  callRecord(place, 2, unanswered),
  callRecord(place, 3, {
    campaign_id: null,
    cohort_id: null,
    deployment_id: DeploymentId.make("dep-a1b2c3d4e5f6"),
    channel_direction: "inbound",
    channel_provider: "provider-a",
    channel_protocol: "sip",
    user_contact: PhoneNumber.make("+919876501234"),
    user_contact_hashed: "a0".repeat(32)
  }),
  callRecord(place, 4, {
    attempted_at: atSecond(1),
    app_version: 10,
    job_id: "job-1",
    correlation_id: "Corr-1"
  }),
  callRecord(place, 5, {
    attempted_at: atSecond(1),
    app_version: 9,
    retry_attempt: 2,
    server_retry_attempt: 1
  }),
  callRecord(place, 6, { is_debug_call: 1, has_log_issues: 1, user_identifier: "100%_sure" }),
  callRecord(place, 7, { user_identifier: "100 xsure", channel_type: "text" }),
  callRecord(place, 8, { user_identifier: "O'Neil \"the\" \\ back" }),
  callRecord(place, 9, {
    ...unanswered,
    connectivity_status: "failed",
    next_action_status: "provider_error_retry",
    failure_reason: "provider-a: number blocked"
  }),
  callRecord(place, 10, {
    completion_status: "partial",
    conversation: {
      start_datetime: atSecond(500),
      end_datetime: atSecond(503),
      duration_in_seconds: 3.5,
      language_name: "hindi",
      num_messages: 10,
      average_user_response_time_in_seconds: 2,
      audio_url: "https://example.test/Recording.WAV",
      ended_by: "USER_ENDS",
      agent_variables: { "name": "ASHA", "due": 42, "paid": true, "note": null, "first.name": "A", "a\"b'c": "odd" }
    }
  }),
  callRecord(place, 11, { conversation: { language_name: null, ended_by: null, agent_variables: { name: "" } } }),
  callRecord(place, 12, { conversation: { language_name: "हिन्दी", average_agent_response_time_in_seconds: 12 } })
]

/** Conditions on a field for given records: each operator with each value and a near miss. */
export const conditionsOn = (field: string, records: ReadonlyArray<CallRecord>): ReadonlyArray<FilterCondition> => {
  const values = [...new Set(records.map((record) => fieldValue(record, field)))]
  const texts = values.filter((value) => typeof value === "string")
  const numbers = values.filter((value) => typeof value === "number")
  const base = { id: "c1", field }
  switch (fieldKind(field)) {
    case "string":
      return TextOperator.literals.flatMap((operator) =>
        [...texts, ...texts.map((text) => text.slice(1, -1)), ...texts.map((text) => text.toUpperCase()), "%", "_"].map(
          (value) => ({ ...base, kind: "string" as const, operator, value })
        )
      )
    case "number":
      return OrderOperator.literals.flatMap((operator) =>
        [...numbers, -1, 0.5].map((value) => ({ ...base, kind: "number" as const, operator, value }))
      )
    case "datetime":
      return OrderOperator.literals.flatMap((operator) =>
        [...numbers].map((value) => ({
          ...base,
          kind: "datetime" as const,
          operator,
          value: DateTime.unsafeMake(value)
        }))
      )
  }
}
