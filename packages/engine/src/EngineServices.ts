import { CallAnalytics } from "@trunkline/analytics"
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
import { Accounts, Credits, type CreditsOptions, Keys } from "@trunkline/rate-limits"
import { Responses } from "@trunkline/responses"
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
import { WebhookDelivery } from "@trunkline/webhooks"
import { Layer } from "effect"
import { Recovery } from "./Recovery.js"
import { agentsForTelephony } from "./wiring/AgentsForTelephony.js"
import { callersFromCohorts, rosterFromCohorts } from "./wiring/CohortsForCalls.js"
import { endedAttempts } from "./wiring/EndedAttempts.js"
import { ownersForCohorts } from "./wiring/OwnersForCohorts.js"

/** How the engine is set up. */
export interface EngineOptions {
  /** Calls that a workspace holds at once; default 10 (shapes 11). */
  readonly maxConcurrentCalls?: number
  /** What things cost, and by whose days usage is counted. */
  readonly credits?: CreditsOptions
  /** The version in the webhooks' `user-agent`. */
  readonly version?: string
}

/**
 * Every service of the engine, wired to one another. What remains to be given: the stores, Transactions, the agents,
 * connections and carriers, the model, the HTTP sender, ids and entropy, limits and load, and the options of analytics.
 */
export const engineServices = (options: EngineOptions) =>
  Layer.mergeAll(Recovery.layer, CampaignRunner.layer, InboundCalls.layer, Deployments.layer, Campaigns.layer).pipe(
    Layer.provideMerge(CampaignWorker.layer),
    Layer.provideMerge(Layer.mergeAll(Dialler.layer, Enrolment.layer, InboundDesk.layer)),
    Layer.provideMerge(Layer.mergeAll(CampaignCalls.layer, Outbounds.layer)),
    Layer.provideMerge(Layer.mergeAll(Attempts.layer, Calls.layer)),
    Layer.provideMerge(Layer.mergeAll(endedAttempts, callersFromCohorts, rosterFromCohorts)),
    Layer.provideMerge(Layer.mergeAll(
      CallAnalytics.layer,
      Cohorts.layer,
      Conversation.layer,
      Layer.merge(Chat.layer, Responses.layer).pipe(Layer.provide(Answers.layer)),
      Accounts.layer,
      Keys.layer,
      Credits.layer(options.credits),
      LiveCalls.layer,
      CallSlots.layer(options),
      WebhookDelivery.layer(options)
    )),
    Layer.provideMerge(Layer.mergeAll(agentsForTelephony, ownersForCohorts)),
    Layer.provideMerge(Layer.mergeAll(CampaignBell.layer, LiveFeed.layer))
  )
