import { CallAnalytics } from "@trunkline/analytics"
import { Boards, Runs, WidgetCharts } from "@trunkline/boards"
import {
  CampaignBell,
  CampaignCalls,
  CampaignContacts,
  CampaignProgress,
  CampaignRunner,
  Campaigns,
  CampaignWorker,
  DailyCap,
  Dialler,
  Enrolment,
  Gate,
  Holds
} from "@trunkline/campaigns"
import { Chat } from "@trunkline/chat"
import { Cohorts } from "@trunkline/cohorts"
import { Conversation } from "@trunkline/conversation"
import { Answers } from "@trunkline/models"
import {
  NotificationDelivery,
  type NotificationDeliveryOptions,
  NotificationRules,
  Scheduler
} from "@trunkline/notifications"
import { Accounts, Credits, type CreditsOptions, Keys } from "@trunkline/rate-limits"
import { Responses, type ResponsesOptions } from "@trunkline/responses"
import { QualityCheck, Speech, type SpeechOptions, Voices } from "@trunkline/speech"
import { TextNormalizer } from "@trunkline/spoken-text"
import {
  Attempts,
  BlockedNumbers,
  Calls,
  CallSlots,
  type CallSlotsOptions,
  CarriedCalls,
  Deployments,
  InboundCalls,
  InboundRouter,
  LineHealth,
  type LineHealthOptions,
  LiveCalls,
  LiveFeed,
  Outbounds,
  Reaper
} from "@trunkline/telephony"
import { FactRevisions, Projector, type ProjectorOptions } from "@trunkline/warehouse"
import { WebhookDeliveries, WebhookDelivery, Webhooks } from "@trunkline/webhooks"
import { Layer, Struct } from "effect"
import { CampaignRehearsal } from "./CampaignRehearsal.js"
import { Erasure } from "./Erasure.js"
import { ProviderEvents } from "./ProviderEvents.js"
import { Recovery } from "./Recovery.js"
import { agentsForTelephony } from "./wiring/AgentsForTelephony.js"
import { callersFromCohorts, rosterFromCohorts } from "./wiring/CohortsForCalls.js"
import { endedAttempts, type EndedAttemptsOptions } from "./wiring/EndedAttempts.js"
import { factNames } from "./wiring/FactNames.js"
import { ownersForCohorts } from "./wiring/OwnersForCohorts.js"
import { ownersForWebhooks } from "./wiring/OwnersForWebhooks.js"
import { receiversEnabled } from "./wiring/ReceiversEnabled.js"
import { recordingsInFiles } from "./wiring/RecordingsInFiles.js"
import { reportsFromBoards, rulesOfWidgets } from "./wiring/ReportsFromBoards.js"
import { tenantsForConversation } from "./wiring/TenantsForConversation.js"

/** How the engine is set up. */
export interface EngineOptions extends EndedAttemptsOptions, CallSlotsOptions {
  /** When dialling on a connection is paused. */
  readonly lineHealth?: LineHealthOptions
  /** How often a workspace's campaigns may dial one number in one day of the campaign's zone; no cap unless given. */
  readonly maxDialsPerNumberPerDay?: number
  /** What things cost, and by whose days usage is counted. */
  readonly credits?: CreditsOptions
  /** How the facts of calls reach the boards. */
  readonly projector?: ProjectorOptions
  /** How scheduled reports are delivered. */
  readonly notifications?: NotificationDeliveryOptions
  /** How the bodies of responses are read. */
  readonly responses?: ResponsesOptions
  /** How voices are spoken with. */
  readonly speech?: SpeechOptions
  /** The version in the webhooks' `user-agent`. */
  readonly version?: string
}

/** Boards, and the reports of their widgets: rules know widgets, and widgets that go take their rules with them. */
const boardServices = (options: EngineOptions) =>
  WidgetCharts.layer.pipe(
    Layer.provideMerge(Boards.layer),
    Layer.provide(rulesOfWidgets),
    Layer.provideMerge(NotificationRules.layer),
    Layer.provideMerge(Scheduler.layer()),
    Layer.provideMerge(NotificationDelivery.layer(options.notifications)),
    Layer.provideMerge(reportsFromBoards),
    Layer.provideMerge(Runs.layer)
  )

/** Voices, and what is spoken with them. */
const speechServices = (options: EngineOptions) =>
  Speech.layer(options.speech).pipe(
    Layer.provideMerge(Layer.merge(Voices.layer, QualityCheck.layer)),
    Layer.provide(TextNormalizer.layer)
  )

/** Campaigns, as they are looked at and told what to do. */
const campaignServices = (options: EngineOptions) =>
  Layer.mergeAll(CampaignContacts.layer, CampaignProgress.layer, CampaignRehearsal.layer(options)).pipe(
    Layer.provideMerge(Campaigns.layer)
  )

/** Webhooks on their way, and what can be done about them. */
const webhookServices = (options: EngineOptions) =>
  Layer.merge(WebhookDeliveries.layer, Webhooks.layer).pipe(
    Layer.provideMerge(WebhookDelivery.layer(Struct.pick(options, "version"))),
    Layer.provide(ownersForWebhooks)
  )

/**
 * Every service of the engine, wired to one another. What remains to be given: the stores, Transactions, the agents,
 * connections, carriers and what carriers tell (CallEvents), the model, the HTTP sender, ids and entropy, limits and load, the options of analytics, the
 * warehouse, who draws charts, sends mail and seals secrets, and who speaks, listens and writes sound.
 */
export const engineServices = (options: EngineOptions) =>
  Layer.mergeAll(Recovery.layer, CampaignRunner.layer, InboundCalls.layer, Deployments.layer, campaignServices(options))
    .pipe(
      Layer.provideMerge(CampaignWorker.layer),
      Layer.provideMerge(Layer.mergeAll(Dialler.layer, Enrolment.layer, InboundRouter.layer)),
      Layer.provideMerge(Layer.mergeAll(CampaignCalls.layer, Outbounds.layer)),
      Layer.provideMerge(Gate.layer),
      Layer.provideMerge(Layer.mergeAll(Attempts.layer, Calls.layer, ProviderEvents.layer, Reaper.layer)),
      Layer.provideMerge(
        Layer.mergeAll(
          endedAttempts(options),
          callersFromCohorts,
          rosterFromCohorts,
          Erasure.layer,
          FactRevisions.layer
        )
      ),
      Layer.provideMerge(Layer.mergeAll(
        CallAnalytics.layer,
        Layer.provide(Projector.layer(options.projector), factNames),
        Cohorts.layer,
        Layer.provide(Conversation.layer, tenantsForConversation),
        Layer.merge(Chat.layer, Responses.layerWith(options.responses ?? {})).pipe(Layer.provide(Answers.layer)),
        Accounts.layer,
        Keys.layer,
        Credits.layer(options.credits),
        LiveCalls.layer,
        CallSlots.layer(options),
        webhookServices(options),
        boardServices(options),
        speechServices(options)
      )),
      Layer.provideMerge(Layer.mergeAll(agentsForTelephony, ownersForCohorts, receiversEnabled, recordingsInFiles)),
      Layer.provideMerge(Layer.mergeAll(
        BlockedNumbers.layer,
        CampaignBell.layer,
        CarriedCalls.layer,
        Holds.layer,
        Layer.succeed(DailyCap, options.maxDialsPerNumberPerDay ?? Infinity),
        LineHealth.layer(options.lineHealth),
        LiveFeed.layer
      ))
    )
