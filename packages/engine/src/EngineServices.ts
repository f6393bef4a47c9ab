import { AgentKnowledge } from "@trunkline/agents"
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
  Canaries,
  DailyCap,
  Dialler,
  Enrolment,
  Gate,
  RingingCalls
} from "@trunkline/campaigns"
import { Chat } from "@trunkline/chat"
import { Cohorts, ImportsHere } from "@trunkline/cohorts"
import { Conversation } from "@trunkline/conversation"
import { Knowledge } from "@trunkline/knowledge"
import { Answers } from "@trunkline/models"
import { NotificationDelivery, NotificationRules, Scheduler } from "@trunkline/notifications"
import { Accounts, Credits, Keys } from "@trunkline/rate-limits"
import { Responses } from "@trunkline/responses"
import { QualityCheck, Speech, Voices } from "@trunkline/speech"
import { TextNormalizer } from "@trunkline/spoken-text"
import {
  Attempts,
  BlockedNumbers,
  CallJournal,
  CallLimitsOption,
  CallRegistry,
  Calls,
  Deployments,
  DialsHere,
  HangUps,
  InboundCalls,
  InboundRouter,
  LineHealth,
  Lines,
  LiveCalls,
  LiveFeed,
  OngoingCalls,
  Outbounds,
  Reaper
} from "@trunkline/telephony"
import { RealtimeVoicing, TurnTaking } from "@trunkline/turn-taking"
import { FactRevisions, Projector } from "@trunkline/warehouse"
import { WebhookDeliveries, WebhookDelivery, Webhooks } from "@trunkline/webhooks"
import { Effect, Layer, Struct } from "effect"
import { CampaignRehearsal } from "./CampaignRehearsal.js"
import { type EngineOptions, rolesOf } from "./EngineOptions.js"
import { Erasure } from "./operations/Erasure.js"
import { PersonErasure } from "./operations/PersonErasure.js"
import { Retention } from "./operations/Retention.js"
import { ProviderEvents } from "./ProviderEvents.js"
import { recorderOf } from "./recordings/CallRecorderLive.js"
import { recordingsLayer } from "./recordings/RecordingFiles.js"
import { Recovery } from "./Recovery.js"
import { BrowserCalls } from "./talks/BrowserCalls.js"
import { Talks } from "./talks/Talks.js"
import { callTracesLayer, tapesLayer } from "./traces/TraceFiles.js"
import { Adoption } from "./wiring/Adoption.js"
import { afterCallServices } from "./wiring/AfterCallResults.js"
import { knownAgentsLayer } from "./wiring/Analytics.js"
import { announcementEarLayer } from "./wiring/AnnouncementEars.js"
import { reportedWidgetsLayer, widgetDependentsLayer } from "./wiring/Boards.js"
import { CallCosts } from "./wiring/CallCosts.js"
import { callSlotsLayer } from "./wiring/CallLimits.js"
import {
  agentVersionsLayer,
  agentVoiceLayer,
  knownCallersLayer,
  rosterLayer,
  tenantsLayer
} from "./wiring/CallPorts.js"
import { canaryWebhooksLayer } from "./wiring/CanaryWebhooks.js"
import { cohortOwnersLayer } from "./wiring/CohortOwners.js"
import { endedAttemptsLayer } from "./wiring/EndedAttempts.js"
import { namesLayer } from "./wiring/Facts.js"
import { measuredProviders } from "./wiring/ProviderMeters.js"
import { relayedDelivery, relayedProjector, relayedScheduler } from "./wiring/Relays.js"
import { webhookConfiguredLayer, webhookOwnersLayer } from "./wiring/Webhooks.js"

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
const turnTaking = Layer.provide(
  TurnTaking.layer,
  Layer.merge(TextNormalizer.layer, Layer.provide(agentVoiceLayer, tenantsLayer))
)

/** The voicing of lines, and the language model of conversations: those of a realtime model, where there is one. */
const voicing = Layer.provide(RealtimeVoicing.layer, turnTaking)

/** Knowledge that agents search in calls. */
const agentKnowledgeLayer = Layer.effect(AgentKnowledge, Knowledge)

/** Conversations of agents. */
const conversations = (options: EngineOptions) =>
  Layer.provide(
    Conversation.layerWith({ modelInputs: options.keepModelInputs ?? true, checkCalls: options.checkCalls ?? true }),
    [
      voicing,
      tenantsLayer,
      agentKnowledgeLayer,
      tapesLayer(options.traces)
    ]
  )

/** Calls on lines and from browsers, and their ends. */
const callServices = (options: EngineOptions) =>
  BrowserCalls.layer(options.browserCalls).pipe(
    Layer.provideMerge(
      Layer.merge(
        Attempts.layer,
        Layer.provide(Calls.layer, [conversations(options), voicing, announcementEarLayer, recorderOf(options)])
      )
    )
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
 * options of analytics, the warehouse, the index of knowledge and a reader of documents, the chart renderer, mailer and sealer, and speech synthesis, transcription,
 * listening and audio codecs.
 */
export const engineServices = (options: EngineOptions) =>
  Layer.mergeAll(Recovery.layer, CampaignRunner.layer, InboundCalls.layer, Deployments.layer, campaignServices(options))
    .pipe(
      Layer.provideMerge(CampaignWorker.layer),
      Layer.provideMerge(Layer.mergeAll(Dialler.layer, Enrolment.layer, InboundRouter.layer)),
      Layer.provideMerge(Layer.merge(CampaignCalls.layer, Outbounds.layer)),
      Layer.provideMerge(Canaries.layer),
      Layer.provideMerge(Gate.layer),
      Layer.provideMerge(
        Layer.mergeAll(
          HangUps.layer,
          OngoingCalls.layer,
          callServices(options),
          Lines.layer,
          ProviderEvents.layer,
          Reaper.layer
        )
      ),
      Layer.provideMerge(CallJournal.layer),
      Layer.provideMerge(
        Layer.mergeAll(
          Layer.provideMerge(endedAttemptsLayer(options), afterCallServices(options, rolesOf(options))),
          canaryWebhooksLayer,
          knownCallersLayer,
          rosterLayer,
          Erasure.layer,
          Retention.layer,
          PersonErasure.layer
        )
      ),
      Layer.provideMerge(Layer.provideMerge(CallCosts.layer, FactRevisions.layer)),
      Layer.provideMerge(Layer.mergeAll(
        Layer.provide(CallAnalytics.layer, knownAgentsLayer),
        projectorLayer(options),
        Cohorts.layer,
        Layer.provide(Talks.layer, [tenantsLayer, agentKnowledgeLayer, Credits.layer(options.credits)]),
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
        Layer.mergeAll(agentVersionsLayer, cohortOwnersLayer, webhookConfiguredLayer, recordingsLayer, callTracesLayer)
      ),
      Layer.provideMerge(Layer.mergeAll(
        BlockedNumbers.layer,
        Knowledge.layer,
        CampaignSignals.layer,
        RingingCalls.layer,
        Adoption.layer,
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
