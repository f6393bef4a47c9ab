import { AgentEditor } from "@trunkline/agents"
import { CallAnalytics, Recordings } from "@trunkline/analytics"
import { Boards, QuerySchema, Runs, WidgetCharts } from "@trunkline/boards"
import { CampaignContacts, CampaignProgress, Campaigns, Canaries } from "@trunkline/campaigns"
import { Chat } from "@trunkline/chat"
import { Cohorts } from "@trunkline/cohorts"
import { Unavailable } from "@trunkline/errors"
import { BusinessTime, Ids } from "@trunkline/kernel"
import { Knowledge } from "@trunkline/knowledge"
import { ModelCatalog } from "@trunkline/models"
import { NotificationDelivery, NotificationRules } from "@trunkline/notifications"
import { Accounts, Credits, Keys, Load, RateLimits } from "@trunkline/rate-limits"
import { CallTraces } from "@trunkline/replay/trace"
import { Responses } from "@trunkline/responses"
import { Speech, Voices } from "@trunkline/speech"
import { BlockedNumbers, Deployments, HangUps, Lines, LiveCalls, LiveFeed, Outbounds } from "@trunkline/telephony"
import { FactRevisions, Projector } from "@trunkline/warehouse"
import { WebhookDeliveries, Webhooks } from "@trunkline/webhooks"
import { Context, Duration, Effect, Layer } from "effect"
import { startBoards, startDeliveries, startDialling } from "./BackgroundWork.js"
import { CampaignRehearsal } from "./CampaignRehearsal.js"
import { type EngineOptions, rolesOf } from "./EngineOptions.js"
import { engineServices } from "./EngineServices.js"
import { type MemoryOptions, memoryParts } from "./MemoryParts.js"
import { makeCallDrain } from "./operations/DrainCalls.js"
import { Erasure } from "./operations/Erasure.js"
import { PersonErasure } from "./operations/PersonErasure.js"
import { makeReadiness, type Readiness } from "./operations/Readiness.js"
import { Retention } from "./operations/Retention.js"
import { makeMeasure } from "./operations/StateGauges.js"
import { ProviderEvents } from "./ProviderEvents.js"
import { refusedQueries } from "./RefusedQueries.js"
import type { Role } from "./Roles.js"
import { checkConnections, checkRoles } from "./StartChecks.js"
import { BrowserCalls } from "./talks/BrowserCalls.js"
import { Talks } from "./talks/Talks.js"
import { type WatchLive, watchLive } from "./wiring/LiveEvents.js"

/** Health of an engine. */
export interface Health {
  /** False once draining has begun. */
  readonly ready: boolean
  /** Number of calls in progress. */
  readonly calls: number
  /** Current business time, in epoch milliseconds. */
  readonly now: number
  /** Roles of this process. */
  readonly roles: ReadonlyArray<Role>
}

/** Real time that shutdown waits for calls in progress and webhooks being sent. */
const shutdownTimeout = Duration.seconds(30)

/**
 * The voice-agent engine: the services of every domain. While its layer is alive, the engine runs campaigns, takes inbound
 * calls, and delivers webhooks and reports in the background, as far as its roles say.
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
  /** Agents of the code, and those of workspaces with their versions. */
  readonly agents: typeof AgentEditor.Service
  readonly deployments: typeof Deployments.Service
  readonly campaigns: typeof Campaigns.Service
  /** Canaries of campaigns: versions of an agent that are tried on some contacts. */
  readonly canaries: typeof Canaries.Service
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
  /** Phone lines and their state. */
  readonly lines: typeof Lines.Service
  /** Receiver of events that telephony providers push. */
  readonly providerEvents: typeof ProviderEvents.Service
  readonly cohorts: typeof Cohorts.Service
  readonly outbounds: Pick<typeof Outbounds.Service, "start">
  readonly analytics: typeof CallAnalytics.Service
  /** Recordings of conversations, for carriers that record calls. */
  readonly recordings: typeof Recordings.Service
  /** Traces of calls, as texts. */
  readonly traces: typeof CallTraces.Service
  readonly erasure: typeof Erasure.Service
  /** Erasure of persons by phone number, with a receipt. */
  readonly personErasure: typeof PersonErasure.Service
  readonly retention: typeof Retention.Service
  /** Facts of calls, which a projector writes to the warehouse of the boards. */
  readonly facts:
    & Pick<typeof Projector.Service, "catchUp" | "rebuild">
    & Pick<typeof FactRevisions.Service, "revise">
  readonly boards: typeof Boards.Service
  /** Queries of boards. A process without the role `boards` dies of `NotServedHere`, here and in charts. */
  readonly runs: typeof Runs.Service
  readonly charts: typeof WidgetCharts.Service
  readonly querySchema: QuerySchema
  /** Documents that agents answer from. */
  readonly knowledge: typeof Knowledge.Service
  readonly notifications: typeof NotificationRules.Service
  readonly chat: typeof Chat.Service
  /** Calls with agents from browsers. */
  readonly browserCalls: typeof BrowserCalls.Service
  /** Talks with agents by text. */
  readonly talks: typeof Talks.Service
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
  readonly live: Pick<LiveFeed.Service, "close"> & { readonly watch: WatchLive }
  /** Ends of calls that somebody watches. */
  readonly hangUps: typeof HangUps.Service
  readonly ids: typeof Ids.Service
  /** Business time of the engine. Provide it to the effects of its services. */
  readonly time: BusinessTime.Service
  /** Roles of this process; all of them where it is the only one. */
  readonly roles: ReadonlyArray<Role>
  readonly health: Effect.Effect<Health>
  /** Checks if this process should get work: a write within 5 seconds, its database's version, its disk, and that it stays. */
  readonly readiness: Effect.Effect<Readiness>
  /** Reads into Effect's metrics what is a state: calls, the oldest due attempt, the outbox, processes and the stores. */
  readonly measure: Effect.Effect<void>
  /** Reports from now on that this process is not ready, so that load balancers turn to others. It still does all work. */
  readonly withdraw: Effect.Effect<void>
  /**
   * Starts no more calls, and completes when the last one has ended, or was left to another process where it can go on in one, and
   * no webhook is being sent.
   */
  readonly drain: Effect.Effect<void>
}>() {
  /**
   * The engine over stores, carriers, models and senders of your choice. Fails with `Invalid` when no carrier serves the
   * provider of a connection, or when this process cannot have its roles.
   */
  static readonly layer = (options: EngineOptions = {}) =>
    Layer.provide(
      Layer.scoped(Engine, makeEngine(rolesOf(options), options.handsOver ?? true)),
      engineServices(options)
    )

  /**
   * The engine in memory, with the simulated phone network and the scripted model by default. Fails with `Invalid`, with
   * an issue for each problem, when the options are invalid.
   */
  static readonly layerMemory = (options: MemoryOptions) =>
    Layer.provideMerge(Engine.layer({ ...options, handsOver: false }), memoryParts(options))
}

const shuttingDown = Effect.fail(new Unavailable({ message: "The server is shutting down and accepts no more calls" }))

const makeEngine = (roles: ReadonlyArray<Role>, handsOver: boolean) =>
  Effect.gen(function*() {
    const live = yield* LiveCalls
    const outbounds = yield* Outbounds
    const facts = yield* Projector
    const reports = yield* NotificationDelivery
    const time = yield* BusinessTime
    const feed = yield* LiveFeed
    const lines = yield* Lines
    const calls = yield* makeCallDrain(handsOver)
    let [leaving, draining, isWaited] = [false, false, false]
    const readiness = yield* makeReadiness(() => leaving)
    yield* Effect.zipRight(checkRoles(roles), checkConnections)
    const stopDialling = roles.includes("dial") ? yield* startDialling : Effect.void
    const drainDeliveries = yield* startDeliveries(roles)
    const stopReports = roles.includes("boards") ? yield* startBoards : Effect.void
    const queries = roles.includes("boards")
      ? { runs: yield* Runs, charts: yield* WidgetCharts }
      : refusedQueries(roles)

    const drain = Effect.gen(function*() {
      leaving = true
      draining = true
      yield* Effect.all([stopDialling, stopReports], { concurrency: 2, discard: true })
      yield* calls.close
      yield* feed.close
      yield* Effect.all([drainDeliveries, reports.drain], { concurrency: 2, discard: true })
    }).pipe(Effect.onInterrupt(() => calls.leave), Effect.ensuring(Effect.sync(() => isWaited = true)))
    // A host that has waited for calls itself does not wait for them again.
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => isWaited ? Effect.void : Effect.timeoutOption(Effect.interruptible(drain), shutdownTimeout))
    )

    return Engine.of({
      agents: yield* AgentEditor,
      deployments: yield* Deployments,
      campaigns: yield* Campaigns,
      canaries: yield* Canaries,
      contacts: yield* CampaignContacts,
      progress: yield* CampaignProgress,
      rehearsals: yield* CampaignRehearsal,
      webhooks: { ...(yield* WebhookDeliveries), ...(yield* Webhooks) },
      blockedNumbers: yield* BlockedNumbers,
      lines,
      providerEvents: yield* ProviderEvents,
      cohorts: yield* Cohorts,
      outbounds: { start: (...call) => draining ? shuttingDown : outbounds.start(...call) },
      analytics: yield* CallAnalytics,
      recordings: yield* Recordings,
      traces: yield* CallTraces,
      erasure: yield* Erasure,
      personErasure: yield* PersonErasure,
      retention: yield* Retention,
      facts: { ...(yield* FactRevisions), catchUp: facts.catchUp, rebuild: facts.rebuild },
      boards: yield* Boards,
      ...queries,
      querySchema: yield* QuerySchema.current,
      knowledge: yield* Knowledge,
      notifications: yield* NotificationRules,
      chat: yield* Chat,
      browserCalls: yield* BrowserCalls,
      talks: yield* Talks,
      responses: yield* Responses,
      voices: yield* Voices,
      speech: yield* Speech,
      catalog: yield* ModelCatalog,
      accounts: yield* Accounts,
      keys: yield* Keys,
      credits: yield* Credits,
      limits: yield* RateLimits,
      load: yield* Load,
      hangUps: yield* HangUps,
      live: { close: feed.close, watch: yield* watchLive },
      ids: yield* Ids,
      time,
      roles,
      health: Effect.zipWith(live.count, time.now, (calls, now) => ({ ready: !leaving, calls, now, roles })),
      readiness,
      measure: yield* makeMeasure,
      withdraw: Effect.sync(() => void (leaving = true)),
      drain
    })
  })
