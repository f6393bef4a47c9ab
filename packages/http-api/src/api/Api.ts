import { HttpApi } from "@effect/platform"
import { AccountGroup } from "./AccountGroups.js"
import { AgentsGroup } from "./AgentGroups.js"
import { AnalyticsGroup, AttemptsGroup, ErasureGroup } from "./AnalyticsGroups.js"
import { BoardsGroup } from "./BoardsGroups.js"
import {
  BlockedNumbersGroup,
  BrowserCallsGroup,
  CallsGroup,
  CarrierEventsGroup,
  LinesGroup,
  OutboundsGroup
} from "./CallGroups.js"
import { CampaignsGroup, CampaignWebhooksGroup, CampaignWorkGroup } from "./CampaignGroups.js"
import { CohortsGroup } from "./CohortGroups.js"
import { DeploymentsGroup } from "./DeploymentGroups.js"
import { KnowledgeGroup } from "./KnowledgeGroups.js"
import { ChatGroup, ModelsGroup, ResponsesGroup } from "./ModelGroups.js"
import { NotificationsGroup, QueriesGroup } from "./QueryGroups.js"
import { ServiceGroup } from "./ServiceGroups.js"
import { VoicesGroup } from "./VoiceGroups.js"

/** Declaration of every route of the API. */
export class Api extends HttpApi.make("trunkline")
  .add(AccountGroup)
  .add(AgentsGroup)
  .add(DeploymentsGroup)
  .add(CampaignsGroup)
  .add(CampaignWorkGroup)
  .add(CampaignWebhooksGroup)
  .add(CohortsGroup)
  .add(KnowledgeGroup)
  .add(OutboundsGroup)
  .add(BlockedNumbersGroup)
  .add(LinesGroup)
  .add(CallsGroup)
  .add(BrowserCallsGroup)
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
