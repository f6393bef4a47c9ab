import { PublicWebhookConfig, publicWebhookConfig, trusted } from "@trunkline/kernel"
import { Schema } from "effect"
import { AppConfig, Campaign } from "./Campaign.js"

/** An agent configuration as it is shown: the webhook's secret, once written, is not in it (shapes 10.1). */
const ShownAppConfig = Schema.Struct({
  ...AppConfig.from.fields,
  webhook_config: Schema.NullOr(PublicWebhookConfig)
})

/** The detail record of a campaign (shapes 3.6). */
export class CampaignDetail extends Schema.Class<CampaignDetail>("CampaignDetail")({
  ...Campaign.fields,
  app_config: ShownAppConfig
}) {}

/** A campaign as its readers see it. */
export const campaignDetailOf = (campaign: Campaign): CampaignDetail => {
  const { webhook_config, ...app_config } = campaign.app_config
  return new CampaignDetail({
    ...campaign,
    app_config: { ...app_config, webhook_config: webhook_config && publicWebhookConfig(webhook_config) }
  }, trusted)
}
