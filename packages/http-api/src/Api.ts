import { HttpApi } from "@effect/platform"
import { AnalyticsGroup } from "./groups/Analytics.js"
import { BoardsGroup } from "./groups/Boards.js"
import { CallsGroup } from "./groups/Calls.js"
import { CampaignsGroup } from "./groups/Campaigns.js"
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
  .add(CohortsGroup)
  .add(OutboundsGroup)
  .add(CallsGroup)
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
