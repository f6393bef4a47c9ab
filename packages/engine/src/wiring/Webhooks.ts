import { Campaign, CampaignStore, isFinalStatus } from "@trunkline/campaigns"
import { BusinessTime, publicWebhookConfig, unchecked, WebhookConfigListener } from "@trunkline/kernel"
import {
  type Attempt,
  type AttemptResult,
  DeploymentStore,
  durationSeconds,
  type Interaction
} from "@trunkline/telephony"
import {
  type CampaignAttemptPayload,
  type InboundCallPayload,
  type OutboundCallPayload,
  Outbox,
  WebhookOwners,
  type WebhookPayload
} from "@trunkline/webhooks"
import { DateTime, Effect, Layer, Option } from "effect"
import { endedFields } from "./EndedFields.js"

/** Webhook configuration of campaigns and deployments. */
export const webhookOwnersLayer: Layer.Layer<WebhookOwners, never, CampaignStore | DeploymentStore> = Layer.effect(
  WebhookOwners,
  Effect.gen(function*() {
    const campaigns = yield* CampaignStore
    const deployments = yield* DeploymentStore
    return WebhookOwners.of({
      find: (scope, owner) =>
        owner.kind === "campaign"
          ? Effect.map(
            campaigns.find(scope, owner.id),
            Option.map(({ app_config, status }) => ({
              config: app_config.webhook_config,
              isOver: isFinalStatus(status)
            }))
          )
          : Effect.map(
            deployments.find(scope, owner.id),
            Option.map(({ webhook_config }) => ({ config: webhook_config, isOver: false }))
          ),
      replaceSecret: (scope, id, { actor, secret }) =>
        Effect.gen(function*() {
          const campaign = Option.getOrUndefined(yield* campaigns.find(scope, id))
          const config = campaign?.app_config.webhook_config ?? null
          if (campaign === undefined || config === null) return
          const app_config = { ...campaign.app_config, webhook_config: { ...config, secret } }
          const updated_at = yield* BusinessTime.date
          yield* campaigns.put(
            scope,
            new Campaign({ ...campaign, app_config, updated_by: actor, updated_at }, unchecked)
          )
        })
    })
  })
)

/** Enables a disabled receiver again whenever a `webhook_config` names it. */
export const webhookConfiguredLayer = Layer.effect(
  WebhookConfigListener,
  Effect.map(Outbox, ({ enable }) => ({ configured: enable }))
)

/**
 * Builds the webhook payload of an ended attempt; null when none is sent. Inbound calls send one only after a
 * conversation, since their payload cannot describe a rejected or broken call.
 */
export const toPayload = (attempt: Attempt, result: AttemptResult): WebhookPayload | null => {
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
  return {
    ...endedFields(attempt, result),
    campaign_id,
    cohort_id,
    interaction_transcript: spokenTurns(result.interaction)
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
    interaction_transcript: spokenTurns(interaction)
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
    interaction_transcript: spokenTurns(interaction),
    metadata: attempt.webhook?.metadata ?? null
  }
}

/** Spoken turns of a conversation, without the results of tools. */
const spokenTurns = (interaction: Interaction | null) =>
  interaction &&
  interaction.transcript.flatMap(({ en_text, indic_text, role }) =>
    role === "tool" ? [] : [{ role, en_text, indic_text }]
  )
