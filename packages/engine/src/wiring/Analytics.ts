import { AgentCatalog } from "@trunkline/agents"
import { type EndedCall, KnownAgents, type ModelInput, Transcript } from "@trunkline/analytics"
import type { AfterCallResult } from "@trunkline/kernel"
import {
  type Attempt,
  type AttemptResult,
  durationSeconds,
  type EndedBy,
  type Interaction,
  type ModelInput as SentInput,
  type TransferRecord,
  type TurnTimings
} from "@trunkline/telephony"
import { DateTime, Effect, Layer, Option } from "effect"
import { conversationOf } from "./EndedFields.js"

/** Values of `ended_by` in the API. */
export const endedByValues = {
  agent: "AGENT_ENDS",
  user: "USER_ENDS",
  provider: "PROVIDER_ENDS",
  timeout: "TIMEOUT"
} as const satisfies Record<EndedBy, string>

/** Converts an ended attempt to its analytics record. */
export const toEndedCall = (attempt: Attempt, result: AttemptResult, after: AfterCallResult | null): EndedCall => ({
  org_id: attempt.org_id,
  workspace_id: attempt.workspace_id,
  attempt_id: attempt.attempt_id,
  app_id: attempt.app_id,
  app_version: attempt.app_version,
  deployment_id: attempt.deployment_id,
  campaign_id: attempt.campaign_id,
  cohort_id: attempt.cohort_id,
  user_identifier: attempt.user_identifier,
  user_contact: attempt.user_phone_number,
  channel_direction: attempt.kind === "inbound" ? "inbound" : "outbound",
  channel_type: "v2v",
  channel_provider: attempt.channel_provider,
  channel_protocol: attempt.channel_protocol,
  retry_attempt: attempt.retry_attempt,
  server_retry_attempt: 0,
  is_debug_call: 0,
  has_log_issues: 0,
  job_id: null,
  correlation_id: attempt.provider_call_id,
  failure_reason: result.failure_reason,
  completion_status: result.completion_status,
  connectivity_status: result.connectivity_status,
  next_action_status: result.next_action_status,
  attempted_at: DateTime.unsafeMake(attempt.attempted_at),
  conversation: result.interaction && toConversation(result.interaction, attempt),
  ...(after !== null && { after_call: after }),
  ...(result.costs !== undefined && { costs: result.costs })
})

/** Path of the recording of an ended call; null without any sound. */
export const audioUrlOf = (
  { app_id, org_id, workspace_id }: Attempt,
  { interaction_id, recording }: Interaction
): string | null =>
  recording !== undefined && recording.seconds > 0
    ? `/analytics/v1/${org_id}/${workspace_id}/${app_id}/recordings/${interaction_id}`
    : null

const toConversation = (interaction: Interaction, attempt: Attempt): EndedCall["conversation"] => {
  const { final_agent_variables, output_agent_variables: _, ...fields } = conversationOf(interaction)
  return {
    ...fields,
    interaction_id: interaction.interaction_id,
    start_datetime: DateTime.unsafeMake(interaction.started_at),
    end_datetime: DateTime.unsafeMake(interaction.ended_at),
    duration_in_seconds: durationSeconds(interaction),
    num_messages: interaction.transcript.filter(({ role }) => role !== "tool").length,
    average_agent_response_time_in_seconds: interaction.average_agent_response_seconds,
    average_user_response_time_in_seconds: interaction.average_user_response_seconds,
    audio_url: audioUrlOf(attempt, interaction),
    ...(interaction.recording !== undefined && { recording: interaction.recording }),
    ended_by: endedByValues[interaction.ended_by],
    agent_variables: final_agent_variables
  }
}

const momentOf = (at: number | null) => at === null ? null : DateTime.unsafeMake(Math.floor(at))

const momentsOf = ({ ended_at, first_clause_at, first_sound_at, first_token_at, words_at }: TurnTimings) => ({
  ended_at: momentOf(ended_at),
  words_at: momentOf(words_at),
  first_token_at: momentOf(first_token_at),
  first_clause_at: momentOf(first_clause_at),
  first_sound_at: momentOf(first_sound_at)
})

const transferOf = ({ answered_at, ended_at, started_at, ...transfer }: TransferRecord) => ({
  ...transfer,
  started_at: DateTime.unsafeMake(Math.floor(started_at)),
  answered_at: momentOf(answered_at),
  ended_at: DateTime.unsafeMake(Math.floor(ended_at))
})

/** The last moment before a turn, and after the one before it, at which another process went on. */
const resumedBefore = ({ resumed_at = [], transcript }: Interaction, index: number): number | undefined => {
  const from = transcript[index - 1]?.at ?? -Infinity
  const to = index === transcript.length - 1 ? Infinity : transcript[index]?.at ?? Infinity
  return resumed_at.findLast((at) => at > from && at <= to)
}

/** Converts the transcript of an ended attempt; null without a conversation. */
export const toTranscript = ({ answer, interaction }: AttemptResult): Transcript | null =>
  interaction && new Transcript({
    interaction_id: interaction.interaction_id,
    ...(answer !== undefined && { answer }),
    messages: interaction.transcript.map(({ at, timings, transfer, ...turn }, index) => {
      const resumed_at = resumedBefore(interaction, index)
      return {
        ...turn,
        timestamp: DateTime.unsafeMake(at),
        ...(transfer !== undefined && { transfer: transferOf(transfer) }),
        ...(timings !== undefined && { timings: momentsOf(timings) }),
        ...(resumed_at !== undefined && { resumed_at: DateTime.unsafeMake(Math.floor(resumed_at)) })
      }
    })
  })

/** Converts what the model was sent during an attempt. */
export const toModelInputs = (inputs: ReadonlyArray<SentInput>): ReadonlyArray<ModelInput> =>
  inputs.map(({ at, ...input }) => ({ ...input, at: DateTime.unsafeMake(Math.floor(at)) }))

/** Agents of the catalog. */
export const knownAgentsLayer = Layer.effect(
  KnownAgents,
  Effect.map(AgentCatalog, (agents) => ({
    includes: (scope, app_id) => Effect.map(agents.find(scope, app_id), Option.isSome)
  }))
)
