import { Campaign, CampaignStore, isFinalStatus } from "@trunkline/campaigns"
import {
  type AfterCallResult,
  BusinessTime,
  publicWebhookConfig,
  unchecked,
  WebhookConfigListener
} from "@trunkline/kernel"
import { type Attempt, type AttemptResult, DeploymentStore, type Interaction } from "@trunkline/telephony"
import {
  type CampaignAttemptPayload,
  type InboundCallPayload,
  type OutboundCallPayload,
  Outbox,
  WebhookOwners,
  type WebhookPayload
} from "@trunkline/webhooks"
import { Effect, Layer, Option } from "effect"
import { endedFields, interactionFields } from "./EndedFields.js"

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
  Effect.map(Outbox, ({ enable }) => ({ onConfigured: enable }))
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
    interaction_transcript: spokenTurns(result.interaction),
    ...endedFields(attempt, result, after),
    campaign_id,
    cohort_id
  }
}

const outboundPayload: Payload<OutboundCallPayload> = (attempt, result, after) => ({
  status: result.connectivity_status ?? "failed",
  channel_info: {
    channel_type: "v2v",
    channel_provider: attempt.channel_provider,
    agent_phone_number: attempt.agent_phone_number
  },
  webhook_config: attempt.webhook && publicWebhookConfig(attempt.webhook),
  interaction_transcript: spokenTurns(result.interaction),
  ...endedFields(attempt, result, after)
})

/** Without a campaign, even as null: by it, payloads of campaigns are told from others. */
const inboundPayload: Payload<InboundCallPayload | null> = (attempt, result, after) => {
  const { campaign_id: _, deployment_id, ...fields } = endedFields(attempt, result, after)
  const { interaction } = result
  if (deployment_id === null || interaction === null) return null
  return {
    deployment_id,
    interaction_transcript: spokenTurns(interaction),
    ...fields,
    ...interactionFields(interaction)
  }
}

/** Spoken turns of a conversation, without the results of tools. */
const spokenTurns = (interaction: Interaction | null) =>
  interaction &&
  interaction.transcript.flatMap(({ en_text, indic_text, role }) =>
    role === "tool" ? [] : [{ role, en_text, indic_text }]
  )
