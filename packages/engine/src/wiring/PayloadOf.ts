import { publicWebhookConfig } from "@trunkline/kernel"
import { type Attempt, type AttemptResult, durationSeconds, type Interaction } from "@trunkline/telephony"
import type {
  CampaignAttemptPayload,
  InboundCallPayload,
  OutboundCallPayload,
  WebhookPayload
} from "@trunkline/webhooks"
import { DateTime } from "effect"

/**
 * What the webhook of an ended attempt tells; null for calls that have none (specification, Events; shapes 13). Inbound
 * calls are told of when there was a conversation: its payload has no place for one that was refused or broke off.
 */
export const payloadOf = (attempt: Attempt, result: AttemptResult): WebhookPayload | null => {
  switch (attempt.kind) {
    case "campaign":
      return campaignPayload(attempt, result)
    case "outbound":
      return outboundPayload(attempt, result)
    case "inbound":
      return inboundPayload(attempt, result)
  }
}

const campaignPayload = (attempt: Attempt, result: AttemptResult): CampaignAttemptPayload | null => {
  const { campaign_id, cohort_id } = attempt
  if (campaign_id === null || cohort_id === null) return null
  const { interaction } = result
  return {
    app_id: attempt.app_id,
    app_version: attempt.app_version,
    attempt_id: attempt.attempt_id,
    campaign_id,
    cohort_id,
    completion_status: result.completion_status,
    connectivity_status: result.connectivity_status,
    next_action_status: result.next_action_status,
    failure_reason: result.failure_reason,
    user_identifier: attempt.user_identifier,
    user_phone_number: attempt.user_phone_number,
    agent_phone_number: attempt.agent_phone_number,
    duration: interaction && durationSeconds(interaction),
    interaction_id: interaction?.interaction_id ?? null,
    retry_attempt: attempt.retry_attempt,
    executed_at: DateTime.unsafeMake(attempt.attempted_at),
    start_datetime: interaction && DateTime.unsafeMake(interaction.started_at),
    end_datetime: interaction && DateTime.unsafeMake(interaction.ended_at),
    initial_agent_variables: attempt.agent_variables,
    final_agent_variables: interaction?.final_agent_variables ?? null,
    output_agent_variables: interaction?.output_agent_variables ?? null,
    interaction_transcript: turnsOf(interaction),
    metadata: attempt.webhook?.metadata ?? null
  }
}

const outboundPayload = (attempt: Attempt, result: AttemptResult): OutboundCallPayload => {
  const { interaction } = result
  return {
    attempt_id: attempt.attempt_id,
    status: result.connectivity_status ?? "failed",
    channel_info: {
      channel_type: "v2v",
      channel_provider: attempt.channel_provider,
      agent_phone_number: attempt.agent_phone_number
    },
    duration: interaction && durationSeconds(interaction),
    interaction_id: interaction?.interaction_id ?? null,
    failure_reason: result.failure_reason,
    final_agent_variables: interaction?.final_agent_variables ?? null,
    webhook_config: attempt.webhook && publicWebhookConfig(attempt.webhook),
    interaction_transcript: turnsOf(interaction)
  }
}

const inboundPayload = (attempt: Attempt, { interaction }: AttemptResult): InboundCallPayload | null => {
  const { deployment_id } = attempt
  if (deployment_id === null || interaction === null) return null
  return {
    app_id: attempt.app_id,
    app_version: attempt.app_version,
    deployment_id,
    interaction_id: interaction.interaction_id,
    user_phone_number: attempt.user_phone_number,
    agent_phone_number: attempt.agent_phone_number,
    duration: durationSeconds(interaction),
    final_agent_variables: interaction.final_agent_variables,
    output_agent_variables: interaction.output_agent_variables,
    start_datetime: DateTime.unsafeMake(interaction.started_at),
    end_datetime: DateTime.unsafeMake(interaction.ended_at),
    interaction_transcript: turnsOf(interaction),
    metadata: attempt.webhook?.metadata ?? null
  }
}

/** The spoken turns: what tools answered stays inside. */
const turnsOf = (interaction: Interaction | null) =>
  interaction &&
  interaction.transcript.flatMap(({ en_text, indic_text, role }) =>
    role === "tool" ? [] : [{ role, en_text, indic_text }]
  )
