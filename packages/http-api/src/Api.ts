import { HttpApi } from "@effect/platform"
import { AnalyticsGroup } from "./groups/Analytics.js"
import { CallsGroup } from "./groups/Calls.js"
import { CampaignsGroup } from "./groups/Campaigns.js"
import { CohortsGroup } from "./groups/Cohorts.js"
import { DeploymentsGroup } from "./groups/Deployments.js"
import { OutboundsGroup } from "./groups/Outbounds.js"
import { ServiceGroup } from "./groups/Service.js"

/** Every route that there is. */
export class Api extends HttpApi.make("trunkline")
  .add(DeploymentsGroup)
  .add(CampaignsGroup)
  .add(CohortsGroup)
  .add(OutboundsGroup)
  .add(CallsGroup)
  .add(AnalyticsGroup)
  .add(ServiceGroup)
{}
