import { Campaign, CampaignStore, isOver } from "@trunkline/campaigns"
import { BusinessTime, trusted } from "@trunkline/kernel"
import { DeploymentStore } from "@trunkline/telephony"
import { WebhookOwners } from "@trunkline/webhooks"
import { Effect, Layer, Option } from "effect"

/** Where campaigns and deployments post their results, as they themselves say. */
export const ownersForWebhooks: Layer.Layer<WebhookOwners, never, CampaignStore | DeploymentStore> = Layer.effect(
  WebhookOwners,
  Effect.gen(function*() {
    const campaigns = yield* CampaignStore
    const deployments = yield* DeploymentStore
    return WebhookOwners.of({
      find: (scope, owner) =>
        owner.kind === "campaign"
          ? Effect.map(
            campaigns.find(scope, owner.id),
            Option.map(({ app_config, status }) => ({ config: app_config.webhook_config, isOver: isOver(status) }))
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
          yield* campaigns.put(scope, new Campaign({ ...campaign, app_config, updated_by: actor, updated_at }, trusted))
        })
    })
  })
)
