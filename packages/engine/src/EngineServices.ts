import { CallAnalytics } from "@trunkline/analytics"
import { Boards, Runs, WidgetCharts } from "@trunkline/boards"
import {
  CampaignCalls,
  CampaignContacts,
  CampaignDialLimits,
  CampaignProgress,
  CampaignRunner,
  Campaigns,
  CampaignSignals,
  CampaignWorker,
  DailyCap,
  Dialler,
  Enrolment,
  Gate,
  RingingCalls
} from "@trunkline/campaigns"
import { Chat } from "@trunkline/chat"
import { Cohorts, ImportsHere } from "@trunkline/cohorts"
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
  CallJournal,
  type CallLimits,
  CallLimitsOption,
  CallRegistry,
  Calls,
  Deployments,
  DialsHere,
  HangUps,
  InboundCalls,
  InboundRouter,
  LineHealth,
  type LineHealthOptions,
  Lines,
  LiveCalls,
  LiveFeed,
  Outbounds,
  Reaper
} from "@trunkline/telephony"
import { TurnTaking } from "@trunkline/turn-taking"
import { FactRevisions, Projector, type ProjectorOptions } from "@trunkline/warehouse"
import { WebhookDeliveries, WebhookDelivery, Webhooks } from "@trunkline/webhooks"
import { Effect, Layer, Struct } from "effect"
import { CampaignRehearsal } from "./CampaignRehearsal.js"
import { Erasure } from "./Erasure.js"
import { PersonErasure } from "./PersonErasure.js"
import { ProviderEvents } from "./ProviderEvents.js"
import { Recovery } from "./Recovery.js"
import { Retention } from "./Retention.js"
import { type Role, roleNames } from "./Roles.js"
import { Talks } from "./talks/Talks.js"
import { knownAgentsLayer, recordingsLayer } from "./wiring/Analytics.js"
import { announcementEarLayer } from "./wiring/AnnouncementEars.js"
import { reportedWidgetsLayer, widgetDependentsLayer } from "./wiring/Boards.js"
import { type CallLimitsOptions, callSlotsLayer } from "./wiring/CallLimits.js"
import {
  agentVersionsLayer,
  agentVoiceLayer,
  knownCallersLayer,
  rosterLayer,
  tenantsLayer
} from "./wiring/CallPorts.js"
import { cohortOwnersLayer } from "./wiring/CohortOwners.js"
import { endedAttemptsLayer, type EndedAttemptsOptions } from "./wiring/EndedAttempts.js"
import { namesLayer } from "./wiring/Facts.js"
import { measuredProviders } from "./wiring/ProviderMeters.js"
import { relayedDelivery, relayedProjector, relayedScheduler } from "./wiring/Relays.js"
import { webhookConfiguredLayer, webhookOwnersLayer } from "./wiring/Webhooks.js"

/** Options of an engine. All have defaults. */
export interface EngineOptions extends EndedAttemptsOptions, CallLimitsOptions {
  /** Roles of this process among those that share its stores; all by default. Fewer need shared stores. */
  readonly roles?: ReadonlyArray<Role>
  /** Time limits of calls; those that are absent have their defaults. */
  readonly callTimes?: Partial<CallLimits>
  /** Circuit breaker that pauses dialling on a failing connection. */
  readonly lineHealth?: LineHealthOptions
  /** Dials per phone number and day, over all campaigns of a workspace, in the zone of the campaign; unlimited by default. */
  readonly maxDialsPerNumberPerDay?: number
  /** Prices, and the time zone of usage periods. */
  readonly credits?: CreditsOptions
  /** Projection of call facts to the warehouse of the boards. */
  readonly projector?: ProjectorOptions
  /** Delivery of scheduled reports. */
  readonly notifications?: NotificationDeliveryOptions
  /** Decoding of the bodies of responses. */
  readonly responses?: ResponsesOptions
  /** Speech synthesis with saved voices. */
  readonly speech?: SpeechOptions
  /** Version in the `user-agent` of webhooks. */
  readonly version?: string
}

/** Roles of an engine. */
export const rolesOf = ({ roles = roleNames }: EngineOptions): ReadonlyArray<Role> => roles

/** Boards, and reports of their widgets. Removing a widget removes its rules. */
const boardServices = (options: EngineOptions) =>
  WidgetCharts.layer.pipe(
    Layer.provideMerge(Boards.layer),
    Layer.provide(widgetDependentsLayer),
    Layer.provideMerge(NotificationRules.layer),
    Layer.provideMerge(Layer.provide(relayedScheduler(rolesOf(options)), Scheduler.layer())),
    Layer.provideMerge(NotificationDelivery.layer(options.notifications)),
    Layer.provideMerge(reportedWidgetsLayer),
    Layer.provideMerge(Runs.layer)
  )

/** Voices and speech. */
const speechServices = (options: EngineOptions) =>
  Speech.layer(options.speech).pipe(
    Layer.provideMerge(Layer.merge(Voices.layer, QualityCheck.layer)),
    Layer.provide(TextNormalizer.layer)
  )

/** Turn-taking on calls that carry sound. */
const voicing = Layer.provide(
  TurnTaking.layer,
  Layer.merge(TextNormalizer.layer, Layer.provide(agentVoiceLayer, tenantsLayer))
)

/** Campaigns, their contacts, progress and rehearsals. */
const campaignServices = (options: EngineOptions) =>
  Layer.mergeAll(CampaignContacts.layer, CampaignProgress.layer, CampaignRehearsal.layer(options)).pipe(
    Layer.provideMerge(Campaigns.layer)
  )

/** The projector of facts to the warehouse of the boards. */
const projectorLayer = (options: EngineOptions) =>
  relayedProjector(rolesOf(options)).pipe(
    Layer.provide(Layer.provide(Projector.layer(options.projector), namesLayer))
  )

/** Webhook delivery, its history and its secrets. */
const webhookServices = (options: EngineOptions) =>
  Layer.merge(WebhookDeliveries.layer, Webhooks.layer).pipe(
    Layer.provideMerge(
      Layer.provide(relayedDelivery(rolesOf(options)), WebhookDelivery.layer(Struct.pick(options, "version")))
    ),
    Layer.provide(webhookOwnersLayer)
  )

/**
 * Wires the services of every domain to one another. It still requires the stores and `Transactions`, the agents,
 * connections, carriers and `CallEvents`, the model, the HTTP sender, ids and entropy, rate limits and load shedding, the
 * options of analytics, the warehouse, the chart renderer, mailer and sealer, and speech synthesis, transcription,
 * listening and audio codecs.
 */
export const engineServices = (options: EngineOptions) =>
  Layer.mergeAll(Recovery.layer, CampaignRunner.layer, InboundCalls.layer, Deployments.layer, campaignServices(options))
    .pipe(
      Layer.provideMerge(CampaignWorker.layer),
      Layer.provideMerge(Layer.mergeAll(Dialler.layer, Enrolment.layer, InboundRouter.layer)),
      Layer.provideMerge(Layer.mergeAll(CampaignCalls.layer, Outbounds.layer)),
      Layer.provideMerge(Gate.layer),
      Layer.provideMerge(
        Layer.mergeAll(
          Attempts.layer,
          HangUps.layer,
          Layer.provide(Calls.layer, [voicing, announcementEarLayer]),
          Lines.layer,
          ProviderEvents.layer,
          Reaper.layer
        )
      ),
      Layer.provideMerge(CallJournal.layer),
      Layer.provideMerge(
        Layer.mergeAll(
          endedAttemptsLayer(options),
          knownCallersLayer,
          rosterLayer,
          Erasure.layer,
          Retention.layer,
          PersonErasure.layer,
          FactRevisions.layer
        )
      ),
      Layer.provideMerge(Layer.mergeAll(
        Layer.provide(CallAnalytics.layer, knownAgentsLayer),
        projectorLayer(options),
        Cohorts.layer,
        Layer.provide(Conversation.layer, tenantsLayer),
        Layer.provide(Talks.layer, [tenantsLayer, Credits.layer(options.credits)]),
        Layer.merge(Chat.layer, Responses.layerWith(options.responses ?? {})).pipe(Layer.provide(Answers.layer)),
        Accounts.layer,
        Keys.layer,
        Credits.layer(options.credits),
        LiveCalls.layer,
        callSlotsLayer(options),
        webhookServices(options),
        boardServices(options),
        speechServices(options)
      )),
      Layer.provideMerge(
        Layer.mergeAll(agentVersionsLayer, cohortOwnersLayer, webhookConfiguredLayer, recordingsLayer)
      ),
      Layer.provideMerge(Layer.mergeAll(
        BlockedNumbers.layer,
        CampaignSignals.layer,
        RingingCalls.layer,
        CallRegistry.layer,
        CampaignDialLimits.layer,
        Layer.succeed(DailyCap, options.maxDialsPerNumberPerDay ?? Infinity),
        Layer.succeed(DialsHere, rolesOf(options).includes("dial")),
        Layer.succeed(ImportsHere, rolesOf(options).includes("imports")),
        LineHealth.layer(options.lineHealth),
        LiveFeed.layer
      )),
      Layer.provideMerge(
        Layer.effect(CallLimitsOption, Effect.map(CallLimitsOption, (limits) => ({ ...limits, ...options.callTimes })))
      ),
      Layer.provideMerge(measuredProviders)
    )
