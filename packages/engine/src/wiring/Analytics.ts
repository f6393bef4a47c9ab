import { AgentCatalog } from "@trunkline/agents"
import { type EndedCall, KnownAgents, Recordings, Transcript } from "@trunkline/analytics"
import { FileStore } from "@trunkline/cohorts"
import { type InteractionId, type Scope, scopeKey, sha256Hex } from "@trunkline/kernel"
import {
  type Attempt,
  type AttemptResult,
  durationSeconds,
  type EndedBy,
  type Interaction,
  type TurnTimings
} from "@trunkline/telephony"
import { DateTime, Effect, Layer, Option } from "effect"

/** Values of `ended_by` in the API. */
export const endedByValues = {
  agent: "AGENT_ENDS",
  user: "USER_ENDS",
  provider: "PROVIDER_ENDS",
  timeout: "TIMEOUT"
} as const satisfies Record<EndedBy, string>

/** Converts an ended attempt to its analytics record. */
export const toEndedCall = (attempt: Attempt, result: AttemptResult): EndedCall => ({
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
  conversation: result.interaction && toConversation(result.interaction)
})

const toConversation = (interaction: Interaction): EndedCall["conversation"] => ({
  interaction_id: interaction.interaction_id,
  start_datetime: DateTime.unsafeMake(interaction.started_at),
  end_datetime: DateTime.unsafeMake(interaction.ended_at),
  duration_in_seconds: durationSeconds(interaction),
  language_name: interaction.language_name,
  num_messages: interaction.transcript.filter(({ role }) => role !== "tool").length,
  average_agent_response_time_in_seconds: interaction.average_agent_response_seconds,
  average_user_response_time_in_seconds: interaction.average_user_response_seconds,
  audio_url: null,
  ended_by: endedByValues[interaction.ended_by],
  agent_variables: interaction.final_agent_variables
})

const momentOf = (at: number | null) => at === null ? null : DateTime.unsafeMake(Math.floor(at))

const momentsOf = ({ ended_at, first_clause_at, first_sound_at, first_token_at, words_at }: TurnTimings) => ({
  ended_at: momentOf(ended_at),
  words_at: momentOf(words_at),
  first_token_at: momentOf(first_token_at),
  first_clause_at: momentOf(first_clause_at),
  first_sound_at: momentOf(first_sound_at)
})

/** Converts the transcript of an ended attempt; null without a conversation. */
export const toTranscript = ({ interaction }: AttemptResult): Transcript | null =>
  interaction && new Transcript({
    interaction_id: interaction.interaction_id,
    messages: interaction.transcript.map(({ at, timings, ...turn }) => ({
      ...turn,
      timestamp: DateTime.unsafeMake(at),
      ...(timings !== undefined && { timings: momentsOf(timings) })
    }))
  })

/** Agents of the catalog. */
export const knownAgentsLayer = Layer.effect(
  KnownAgents,
  Effect.map(AgentCatalog, (agents) => ({
    includes: (scope, app_id) => Effect.map(agents.find(scope, app_id), Option.isSome)
  }))
)

/** File key of a recording, without characters that have a meaning in file systems. */
const fileKey = (scope: Scope, interaction_id: InteractionId) =>
  Effect.map(sha256Hex(`${scopeKey(scope)}/${interaction_id}`), (hash) => `rec-${hash.slice(0, 32)}/recording`)

/** Recordings, stored as files. */
export const recordingsLayer: Layer.Layer<Recordings, never, FileStore> = Layer.effect(
  Recordings,
  Effect.map(FileStore, (files) =>
    Recordings.of({
      keep: (scope, interaction_id, bytes) =>
        Effect.flatMap(fileKey(scope, interaction_id), (key) => files.write(key, bytes)),
      find: (scope, interaction_id) =>
        Effect.gen(function*() {
          const key = yield* fileKey(scope, interaction_id)
          const [bytes, size] = [yield* files.read(key), yield* files.size(key)]
          return Option.all({ bytes, size })
        }),
      remove: (scope, interaction_id) => Effect.flatMap(fileKey(scope, interaction_id), files.remove)
    }))
)
