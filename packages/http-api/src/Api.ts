import { HttpApi } from "@effect/platform"
import { AnalyticsGroup } from "./groups/Analytics.js"
import { BlockedNumbersGroup } from "./groups/BlockedNumbers.js"
import { BoardsGroup } from "./groups/Boards.js"
import { CallsGroup } from "./groups/Calls.js"
import { CampaignsGroup } from "./groups/Campaigns.js"
import { CampaignWebhooksGroup } from "./groups/CampaignWebhooks.js"
import { CampaignWorkGroup } from "./groups/CampaignWork.js"
import { CarrierEventsGroup } from "./groups/CarrierEvents.js"
import { ChatGroup } from "./groups/Chat.js"
import { CohortsGroup } from "./groups/Cohorts.js"
import { DeploymentsGroup } from "./groups/Deployments.js"
import { ErasureGroup } from "./groups/Erasure.js"
import { ModelsGroup } from "./groups/Models.js"
import { NotificationsGroup } from "./groups/Notifications.js"
import { OutboundsGroup } from "./groups/Outbounds.js"
import { QueriesGroup } from "./groups/Queries.js"
import { ResponsesGroup } from "./groups/Responses.js"
import { ServiceGroup } from "./groups/Service.js"
import { VoicesGroup } from "./groups/Voices.js"

/** Every route that there is. */
export class Api extends HttpApi.make("trunkline")
  .add(DeploymentsGroup)
  .add(CampaignsGroup)
  .add(CampaignWorkGroup)
  .add(CampaignWebhooksGroup)
  .add(CohortsGroup)
  .add(OutboundsGroup)
  .add(BlockedNumbersGroup)
  .add(CallsGroup)
  .add(CarrierEventsGroup)
  .add(AnalyticsGroup)
  .add(ErasureGroup)
  .add(BoardsGroup)
  .add(QueriesGroup)
  .add(NotificationsGroup)
  .add(ChatGroup)
  .add(ResponsesGroup)
  .add(ModelsGroup)
  .add(VoicesGroup)
  .add(ServiceGroup)
{}
