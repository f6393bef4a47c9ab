import { CallAnalytics, Recordings } from "@trunkline/analytics"
import { Boards, QuerySchema, Runs, WidgetCharts } from "@trunkline/boards"
import { CampaignContacts, CampaignProgress, CampaignRunner, Campaigns } from "@trunkline/campaigns"
import { Chat } from "@trunkline/chat"
import { Cohorts } from "@trunkline/cohorts"
import { Unavailable } from "@trunkline/errors"
import { BusinessTime, Ids } from "@trunkline/kernel"
import { ModelCatalog } from "@trunkline/models"
import { NotificationDelivery, NotificationRules, Scheduler } from "@trunkline/notifications"
import { Accounts, Credits, Keys, Load, RateLimits } from "@trunkline/rate-limits"
import { Responses } from "@trunkline/responses"
import { Speech, Voices } from "@trunkline/speech"
import { BlockedNumbers, Deployments, InboundCalls, LiveCalls, LiveFeed, Outbounds, Reaper } from "@trunkline/telephony"
import { FactRevisions, Projector } from "@trunkline/warehouse"
import { WebhookDeliveries, WebhookDelivery, Webhooks } from "@trunkline/webhooks"
import { Context, Duration, Effect, Fiber, Layer } from "effect"
import { CampaignRehearsal } from "./CampaignRehearsal.js"
import { type EngineOptions, engineServices } from "./EngineServices.js"
import { Erasure } from "./Erasure.js"
import { type MemoryOptions, memoryParts } from "./MemoryParts.js"
import { ProviderEvents } from "./ProviderEvents.js"
import { Recovery } from "./Recovery.js"
import { everyConnectionServed } from "./StartIssues.js"
import { supervised } from "./Supervised.js"

/** Whether the engine can do its work, for health checks. */
export interface Health {
  /** False once draining has begun. */
  readonly ready: boolean
  /** Calls going on. */
  readonly calls: number
  /** Epoch milliseconds of business time. */
  readonly now: number
}

/** How long shutting down waits for calls and webhooks on their way, unless `drain` was asked for before (real time). */
const CLOSING_PATIENCE = Duration.seconds(30)

/**
 * The whole voice-agent engine: every domain's service, with the campaign runner, the inbound desk and the webhook
 * delivery working behind them for as long as the layer lives.
 */
export class Engine extends Context.Tag("@trunkline/engine/Engine")<Engine, {
  readonly deployments: typeof Deployments.Service
  readonly campaigns: typeof Campaigns.Service
  /** The people of campaigns: where each is, and why they are not called. */
  readonly contacts: typeof CampaignContacts.Service
  /** How far campaigns are. */
  readonly progress: typeof CampaignProgress.Service
  /** Campaigns, played through in simulated time. */
  readonly rehearsals: typeof CampaignRehearsal.Service
  /** The webhooks of campaigns: what became of them, sending them again, and their secrets. */
  readonly webhooks: typeof WebhookDeliveries.Service & typeof Webhooks.Service
  /** The numbers that workspaces never call. */
  readonly blockedNumbers: typeof BlockedNumbers.Service
  /** What providers tell of calls. */
  readonly providerEvents: typeof ProviderEvents.Service
  readonly cohorts: typeof Cohorts.Service
  readonly outbounds: Pick<typeof Outbounds.Service, "start">
  readonly analytics: typeof CallAnalytics.Service
  /** What conversations sounded like: carriers that record keep it here. */
  readonly recordings: typeof Recordings.Service
  readonly erasure: typeof Erasure.Service
  /** The facts of calls on their way to the boards. */
  readonly facts:
    & Pick<typeof Projector.Service, "catchUp" | "rebuild">
    & Pick<typeof FactRevisions.Service, "revise">
  readonly boards: typeof Boards.Service
  readonly runs: typeof Runs.Service
  readonly charts: typeof WidgetCharts.Service
  readonly querySchema: QuerySchema
  readonly notifications: typeof NotificationRules.Service
  readonly chat: typeof Chat.Service
  readonly responses: typeof Responses.Service
  readonly voices: typeof Voices.Service
  readonly speech: typeof Speech.Service
  /** The models that can be asked for. */
  readonly catalog: typeof ModelCatalog.Service
  readonly accounts: typeof Accounts.Service
  readonly keys: typeof Keys.Service
  readonly credits: typeof Credits.Service
  readonly limits: typeof RateLimits.Service
  readonly load: typeof Load.Service
  readonly live: Pick<LiveFeed.Service, "close" | "watch">
  readonly ids: typeof Ids.Service
  /** The time that calls live in; whoever runs the services' effects provides it. */
  readonly time: BusinessTime.Service
  readonly health: Effect.Effect<Health>
  /** Starts no more calls, and completes when the last one is over and no webhook is being sent any more. */
  readonly drain: Effect.Effect<void>
}>() {
  /**
   * The engine over the stores, phone lines, models and senders that it is given. Fails with `Invalid` when no carrier
   * serves the provider of a connection.
   */
  static readonly layer = (options: EngineOptions = {}) => Layer.provide(running, engineServices(options))

  /**
   * The engine with everything in memory, on the simulated phone network, with the scripted model. Fails with `Invalid`,
   * an issue for each problem, when its options cannot be used.
   */
  static readonly layerMemory = (options: MemoryOptions) =>
    Layer.provideMerge(Engine.layer(options), memoryParts(options))
}

const stopping = Effect.fail(new Unavailable({ message: "The server is stopping and takes no more calls" }))

const running = Layer.scoped(
  Engine,
  Effect.gen(function*() {
    const live = yield* LiveCalls
    const delivery = yield* WebhookDelivery
    const outbounds = yield* Outbounds
    const facts = yield* Projector
    const reports = yield* NotificationDelivery
    const time = yield* BusinessTime
    const feed = yield* LiveFeed
    let draining = false

    yield* everyConnectionServed
    const { settle } = yield* (yield* Recovery).find
    const recovery = yield* Effect.forkScoped(settle)
    yield* supervised("The reaper of calls without an owner", (yield* Reaper).run)
    const campaigns = yield* supervised("The campaign runner", (yield* CampaignRunner).run)
    const singles = yield* supervised("Outbound calling", outbounds.run)
    yield* supervised("Inbound calling", (yield* InboundCalls).run)
    yield* supervised("Webhook delivery", delivery.run)
    yield* supervised("The projector of facts", facts.run)
    const schedule = yield* supervised("The schedule of reports", (yield* Scheduler).run)
    yield* supervised("The delivery of reports", reports.run)

    const drain = Effect.gen(function*() {
      draining = true
      yield* Fiber.interruptAll([recovery, campaigns, singles, schedule])
      yield* live.close
      yield* feed.close
      yield* Effect.all([delivery.drain, reports.drain], { concurrency: 2, discard: true })
    })
    yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(drain), CLOSING_PATIENCE))

    return Engine.of({
      deployments: yield* Deployments,
      campaigns: yield* Campaigns,
      contacts: yield* CampaignContacts,
      progress: yield* CampaignProgress,
      rehearsals: yield* CampaignRehearsal,
      webhooks: { ...(yield* WebhookDeliveries), ...(yield* Webhooks) },
      blockedNumbers: yield* BlockedNumbers,
      providerEvents: yield* ProviderEvents,
      cohorts: yield* Cohorts,
      outbounds: { start: (...call) => draining ? stopping : outbounds.start(...call) },
      analytics: yield* CallAnalytics,
      recordings: yield* Recordings,
      erasure: yield* Erasure,
      facts: { ...(yield* FactRevisions), catchUp: facts.catchUp, rebuild: facts.rebuild },
      boards: yield* Boards,
      runs: yield* Runs,
      charts: yield* WidgetCharts,
      querySchema: yield* QuerySchema.current,
      notifications: yield* NotificationRules,
      chat: yield* Chat,
      responses: yield* Responses,
      voices: yield* Voices,
      speech: yield* Speech,
      catalog: yield* ModelCatalog,
      accounts: yield* Accounts,
      keys: yield* Keys,
      credits: yield* Credits,
      limits: yield* RateLimits,
      load: yield* Load,
      live: feed,
      ids: yield* Ids,
      time,
      health: Effect.gen(function*() {
        return { ready: !draining, calls: yield* live.count, now: yield* time.now }
      }),
      drain
    })
  })
)
