import { Campaign, CampaignStore, isFinalStatus } from "@trunkline/campaigns"
import {
  type AfterCallResult,
  BusinessTime,
  publicWebhookConfig,
  unchecked,
  WebhookConfigListener
} from "@trunkline/kernel"
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
import { afterCallFieldsOf, endedFields } from "./EndedFields.js"

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

/** True for a call from a browser: its request may name a webhook, as that of an outbound call. */
const isFromBrowser = ({ deployment_id, kind }: Attempt): boolean => kind === "inbound" && deployment_id === null

/**
 * Builds the webhook payload of an ended attempt; null when none is sent. Inbound calls send one only after a
 * conversation, since their payload cannot describe a rejected or broken call.
 */
export const toPayload = (
  attempt: Attempt,
  result: AttemptResult,
  after: AfterCallResult | null
): WebhookPayload | null => {
  switch (attempt.kind) {
    case "campaign":
      return campaignPayload(attempt, result, after)
    case "outbound":
      return outboundPayload(attempt, result, after)
    case "inbound":
      return isFromBrowser(attempt) ? outboundPayload(attempt, result, after) : inboundPayload(attempt, result, after)
  }
}

type Payload<A> = (attempt: Attempt, result: AttemptResult, after: AfterCallResult | null) => A

const campaignPayload: Payload<CampaignAttemptPayload | null> = (attempt, result, after) => {
  const { campaign_id, cohort_id } = attempt
  if (campaign_id === null || cohort_id === null) return null
  return {
    ...endedFields(attempt, result),
    answer: result.answer ?? null,
    campaign_id,
    cohort_id,
    ...afterCallFieldsOf(after),
    costs: result.costs ?? null,
    interaction_transcript: spokenTurns(result.interaction)
  }
}

const outboundPayload: Payload<OutboundCallPayload> = (attempt, result, after) => {
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
    opt_out: result.opt_out?.text ?? null,
    answer: result.answer ?? null,
    final_agent_variables: interaction?.final_agent_variables ?? null,
    costs: result.costs ?? null,
    webhook_config: attempt.webhook && publicWebhookConfig(attempt.webhook),
    ...afterCallFieldsOf(after),
    interaction_transcript: spokenTurns(interaction)
  }
}

const inboundPayload: Payload<InboundCallPayload | null> = (attempt, { costs, interaction, opt_out }, after) => {
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
    opt_out: opt_out?.text ?? null,
    final_agent_variables: interaction.final_agent_variables,
    output_agent_variables: interaction.output_agent_variables,
    start_datetime: DateTime.unsafeMake(interaction.started_at),
    end_datetime: DateTime.unsafeMake(interaction.ended_at),
    ...afterCallFieldsOf(after),
    interaction_transcript: spokenTurns(interaction),
    metadata: attempt.webhook?.metadata ?? null,
    costs: costs ?? null
  }
}

/** Spoken turns of a conversation, without the results of tools. */
const spokenTurns = (interaction: Interaction | null) =>
  interaction &&
  interaction.transcript.flatMap(({ en_text, indic_text, role }) =>
    role === "tool" ? [] : [{ role, en_text, indic_text }]
  )
