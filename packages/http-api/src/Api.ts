import { HttpApi } from "@effect/platform"
import { AnalyticsGroup, AttemptsGroup, ErasureGroup } from "./routes/analytics/Groups.js"
import { BoardsGroup } from "./routes/boards/Groups.js"
import { NotificationsGroup, QueriesGroup } from "./routes/boards/QueryGroups.js"
import {
  BlockedNumbersGroup,
  CallsGroup,
  CarrierEventsGroup,
  LinesGroup,
  OutboundsGroup
} from "./routes/calls/Groups.js"
import { CampaignsGroup, CampaignWebhooksGroup, CampaignWorkGroup } from "./routes/campaigns/Groups.js"
import { CohortsGroup } from "./routes/cohorts/Groups.js"
import { DeploymentsGroup } from "./routes/deployments/Groups.js"
import { ChatGroup, ModelsGroup, ResponsesGroup } from "./routes/models/Groups.js"
import { ServiceGroup } from "./routes/service/Groups.js"
import { VoicesGroup } from "./routes/voices/Groups.js"

/** Declaration of every route of the API. */
export class Api extends HttpApi.make("trunkline")
  .add(DeploymentsGroup)
  .add(CampaignsGroup)
  .add(CampaignWorkGroup)
  .add(CampaignWebhooksGroup)
  .add(CohortsGroup)
  .add(OutboundsGroup)
  .add(BlockedNumbersGroup)
  .add(LinesGroup)
  .add(CallsGroup)
  .add(CarrierEventsGroup)
  .add(AnalyticsGroup)
  .add(AttemptsGroup)
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
