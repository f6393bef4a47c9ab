import { CallAnalytics } from "@trunkline/analytics"
import { Boards, Runs, WidgetCharts } from "@trunkline/boards"
import {
  CampaignBell,
  CampaignCalls,
  CampaignRunner,
  Campaigns,
  CampaignWorker,
  Dialler,
  Enrolment
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
import { Responses } from "@trunkline/responses"
import { QualityCheck, Speech, type SpeechOptions, Voices } from "@trunkline/speech"
import { TextNormalizer } from "@trunkline/spoken-text"
import {
  Attempts,
  Calls,
  CallSlots,
  Deployments,
  InboundCalls,
  InboundDesk,
  LiveCalls,
  LiveFeed,
  Outbounds
} from "@trunkline/telephony"
import { FactRevisions, Projector, type ProjectorOptions } from "@trunkline/warehouse"
import { WebhookDelivery } from "@trunkline/webhooks"
import { Layer } from "effect"
import { Erasure } from "./Erasure.js"
import { Recovery } from "./Recovery.js"
import { agentsForTelephony } from "./wiring/AgentsForTelephony.js"
import { callersFromCohorts, rosterFromCohorts } from "./wiring/CohortsForCalls.js"
import { endedAttempts, type EndedAttemptsOptions } from "./wiring/EndedAttempts.js"
import { factNames } from "./wiring/FactNames.js"
import { ownersForCohorts } from "./wiring/OwnersForCohorts.js"
import { recordingsInFiles } from "./wiring/RecordingsInFiles.js"
import { reportsFromBoards, rulesOfWidgets } from "./wiring/ReportsFromBoards.js"

/** How the engine is set up. */
export interface EngineOptions extends EndedAttemptsOptions {
  /** Calls that a workspace holds at once; default 10 (shapes 11). */
  readonly maxConcurrentCalls?: number
  /** What things cost, and by whose days usage is counted. */
  readonly credits?: CreditsOptions
  /** How the facts of calls reach the boards. */
  readonly projector?: ProjectorOptions
  /** How scheduled reports are delivered. */
  readonly notifications?: NotificationDeliveryOptions
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

/**
 * Every service of the engine, wired to one another. What remains to be given: the stores, Transactions, the agents,
 * connections and carriers, the model, the HTTP sender, ids and entropy, limits and load, the options of analytics, the
 * warehouse, who draws charts, sends mail and seals secrets, and who speaks, listens and writes sound.
 */
export const engineServices = (options: EngineOptions) =>
  Layer.mergeAll(Recovery.layer, CampaignRunner.layer, InboundCalls.layer, Deployments.layer, Campaigns.layer).pipe(
    Layer.provideMerge(CampaignWorker.layer),
    Layer.provideMerge(Layer.mergeAll(Dialler.layer, Enrolment.layer, InboundDesk.layer)),
    Layer.provideMerge(Layer.mergeAll(CampaignCalls.layer, Outbounds.layer)),
    Layer.provideMerge(Layer.mergeAll(Attempts.layer, Calls.layer)),
    Layer.provideMerge(
      Layer.mergeAll(endedAttempts(options), callersFromCohorts, rosterFromCohorts, Erasure.layer, FactRevisions.layer)
    ),
    Layer.provideMerge(Layer.mergeAll(
      CallAnalytics.layer,
      Layer.provide(Projector.layer(options.projector), factNames),
      Cohorts.layer,
      Conversation.layer,
      Layer.merge(Chat.layer, Responses.layer).pipe(Layer.provide(Answers.layer)),
      Accounts.layer,
      Keys.layer,
      Credits.layer(options.credits),
      LiveCalls.layer,
      CallSlots.layer(options),
      WebhookDelivery.layer(options),
      boardServices(options),
      speechServices(options)
    )),
    Layer.provideMerge(Layer.mergeAll(agentsForTelephony, ownersForCohorts, recordingsInFiles)),
    Layer.provideMerge(Layer.mergeAll(CampaignBell.layer, LiveFeed.layer))
  )
