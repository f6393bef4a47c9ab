import { CallAnalytics, Recordings } from "@trunkline/analytics"
import { Boards, QuerySchema, Runs, WidgetCharts } from "@trunkline/boards"
import { CampaignContacts, CampaignProgress, CampaignRunner, Campaigns } from "@trunkline/campaigns"
import { Chat } from "@trunkline/chat"
import { Cohorts } from "@trunkline/cohorts"
import { type Invalid, Unavailable } from "@trunkline/errors"
import { BusinessTime, Ids, Processes, retryForever } from "@trunkline/kernel"
import { ModelCatalog } from "@trunkline/models"
import { NotificationDelivery, NotificationRules, Scheduler } from "@trunkline/notifications"
import { Accounts, Credits, Keys, Load, RateLimits } from "@trunkline/rate-limits"
import { Responses } from "@trunkline/responses"
import { Speech, Voices } from "@trunkline/speech"
import {
  BlockedNumbers,
  Carriers,
  Connections,
  Deployments,
  InboundCalls,
  LiveCalls,
  LiveFeed,
  Outbounds,
  Reaper
} from "@trunkline/telephony"
import { FactRevisions, Projector } from "@trunkline/warehouse"
import { WebhookDeliveries, WebhookDelivery, Webhooks } from "@trunkline/webhooks"
import { Context, Duration, Effect, Fiber, FiberSet, Layer, Option, type Scope } from "effect"
import { failWithIssues } from "./Access.js"
import { CampaignRehearsal } from "./CampaignRehearsal.js"
import { type EngineOptions, engineServices } from "./EngineServices.js"
import { Erasure } from "./Erasure.js"
import { type MemoryOptions, memoryParts } from "./MemoryParts.js"
import { ProviderEvents } from "./ProviderEvents.js"
import { Recovery, type UnfinishedAttempts } from "./Recovery.js"

/** Health of an engine. */
export interface Health {
  /** False once draining has begun. */
  readonly ready: boolean
  /** Number of calls in progress. */
  readonly calls: number
  /** Current business time, in epoch milliseconds. */
  readonly now: number
}

/** Real time that shutdown waits for calls in progress and webhooks being sent. */
const shutdownTimeout = Duration.seconds(30)

/**
 * The voice-agent engine: the services of every domain. While its layer is alive, the engine runs campaigns, takes inbound
 * calls, and delivers webhooks and reports in the background.
 *
 * @example
 * ```ts
 * import { Engine } from "@trunkline/engine"
 *
 * const engine = Engine.layerMemory({
 *   agents: [{ app_id: "reminder", versions: [{ app_version: 1, committed: true, first_message: "Hello {{name}}" }] }],
 *   connections: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }]
 * })
 * ```
 */
export class Engine extends Context.Tag("@trunkline/engine/Engine")<Engine, {
  readonly deployments: typeof Deployments.Service
  readonly campaigns: typeof Campaigns.Service
  /** Contacts of campaigns: their state, and why they are not called. */
  readonly contacts: typeof CampaignContacts.Service
  /** Progress of campaigns. */
  readonly progress: typeof CampaignProgress.Service
  /** Rehearsals of campaigns in simulated time. */
  readonly rehearsals: typeof CampaignRehearsal.Service
  /** Webhook deliveries of campaigns: their history, resending, and secrets. */
  readonly webhooks: typeof WebhookDeliveries.Service & typeof Webhooks.Service
  /** Phone numbers that workspaces never call. */
  readonly blockedNumbers: typeof BlockedNumbers.Service
  /** Receiver of events that telephony providers push. */
  readonly providerEvents: typeof ProviderEvents.Service
  readonly cohorts: typeof Cohorts.Service
  readonly outbounds: Pick<typeof Outbounds.Service, "start">
  readonly analytics: typeof CallAnalytics.Service
  /** Recordings of conversations, for carriers that record calls. */
  readonly recordings: typeof Recordings.Service
  readonly erasure: typeof Erasure.Service
  /** Facts of calls, which a projector writes to the warehouse of the boards. */
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
  /** Models that chat, responses and agents can use. */
  readonly catalog: typeof ModelCatalog.Service
  readonly accounts: typeof Accounts.Service
  readonly keys: typeof Keys.Service
  readonly credits: typeof Credits.Service
  readonly limits: typeof RateLimits.Service
  readonly load: typeof Load.Service
  readonly live: Pick<LiveFeed.Service, "close" | "watch">
  readonly ids: typeof Ids.Service
  /** Business time of the engine. Provide it to the effects of its services. */
  readonly time: BusinessTime.Service
  readonly health: Effect.Effect<Health>
  /** Starts no more calls, and completes when the last call has ended and no webhook is being sent. */
  readonly drain: Effect.Effect<void>
}>() {
  /**
   * The engine over stores, carriers, models and senders of your choice. Fails with `Invalid` when no carrier serves the
   * provider of a connection.
   */
  static readonly layer = (options: EngineOptions = {}) => Layer.provide(running, engineServices(options))

  /**
   * The engine in memory, with the simulated phone network and the scripted model by default. Fails with `Invalid`, with
   * an issue for each problem, when the options are invalid.
   */
  static readonly layerMemory = (options: MemoryOptions) =>
    Layer.provideMerge(Engine.layer(options), memoryParts(options))
}

const shuttingDown = Effect.fail(new Unavailable({ message: "The server is shutting down and accepts no more calls" }))

/** Runs a background service, which restarts after a failure. */
export const supervise = <A>(
  name: string,
  service: Effect.Effect<A>
): Effect.Effect<Fiber.RuntimeFiber<A>, never, Scope.Scope> =>
  service.pipe(
    retryForever({ message: `${name} failed and restarts`, initialDelay: "1 second", maxDelay: "1 minute" }),
    Effect.forkScoped
  )

/** Fails with an issue for each connection whose provider no carrier serves, since it could never carry a call. */
const checkConnections: Effect.Effect<void, Invalid, Carriers | Connections> = Effect.gen(function*() {
  const carriers = yield* Carriers
  const connections = yield* (yield* Connections).all
  const known = carriers.all.map(({ provider }) => `"${provider}"`).join(", ") || "none"
  yield* failWithIssues(
    connections.flatMap(({ connection_id, provider }, index) =>
      Option.isSome(carriers.find(provider)) ? [] : [
        {
          loc: ["connections", index, "provider"],
          msg: `No carrier serves the provider "${provider}" of the connection "${connection_id}"; known: ${known}`,
          type: "value_error" as const
        }
      ]
    )
  )
})

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

    yield* checkConnections
    const { find, findLost } = yield* Recovery
    const settling = yield* FiberSet.make<void>()
    const takeOver = (find: Effect.Effect<UnfinishedAttempts>) =>
      Effect.flatMap(find, ({ count, settle }) => count === 0 ? Effect.void : FiberSet.run(settling, settle))
    yield* takeOver(find)
    const { pollEvery } = yield* Processes
    const adopt = Effect.forever(Effect.zipRight(Effect.sleep(pollEvery), takeOver(find)))
    const adoption = Duration.isFinite(pollEvery) ? [yield* supervise("Adoption of attempts", adopt)] : []
    yield* supervise("The reaper of abandoned calls", (yield* Reaper).run(takeOver(findLost)))
    const campaigns = yield* supervise("The campaign runner", (yield* CampaignRunner).run)
    const outboundCalls = yield* supervise("Outbound calling", outbounds.run)
    yield* supervise("Inbound calling", (yield* InboundCalls).run)
    yield* supervise("Webhook delivery", delivery.run)
    yield* supervise("The fact projector", facts.run)
    const schedule = yield* supervise("The report scheduler", (yield* Scheduler).run)
    yield* supervise("Report delivery", reports.run)

    const drain = Effect.gen(function*() {
      draining = true
      yield* Fiber.interruptAll([...adoption, campaigns, outboundCalls, schedule])
      yield* FiberSet.clear(settling)
      yield* live.close
      yield* feed.close
      yield* Effect.all([delivery.drain, reports.drain], { concurrency: 2, discard: true })
    })
    yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(drain), shutdownTimeout))

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
      outbounds: { start: (...call) => draining ? shuttingDown : outbounds.start(...call) },
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
