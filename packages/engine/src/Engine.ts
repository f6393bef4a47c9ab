import { AgentCatalog } from "@trunkline/agents"
import { CallAnalytics, Recordings } from "@trunkline/analytics"
import { Boards, QuerySchema, Runs, WidgetCharts } from "@trunkline/boards"
import { CampaignContacts, CampaignProgress, Campaigns } from "@trunkline/campaigns"
import { Chat } from "@trunkline/chat"
import { Cohorts } from "@trunkline/cohorts"
import { NotServedHere, Unavailable } from "@trunkline/errors"
import { BusinessTime, Ids } from "@trunkline/kernel"
import { ModelCatalog } from "@trunkline/models"
import { NotificationDelivery, NotificationRules } from "@trunkline/notifications"
import { Accounts, Credits, Keys, Load, RateLimits } from "@trunkline/rate-limits"
import { Responses } from "@trunkline/responses"
import { Speech, Voices } from "@trunkline/speech"
import { BlockedNumbers, Deployments, HangUps, Lines, LiveCalls, LiveFeed, Outbounds } from "@trunkline/telephony"
import { FactRevisions, Projector } from "@trunkline/warehouse"
import { WebhookDeliveries, WebhookDelivery, Webhooks } from "@trunkline/webhooks"
import { Context, Duration, Effect, Layer } from "effect"
import { startBoards, startDialling, supervise } from "./BackgroundWork.js"
import { CampaignRehearsal } from "./CampaignRehearsal.js"
import { type EngineOptions, engineServices, rolesOf } from "./EngineServices.js"
import { Erasure } from "./Erasure.js"
import { type MemoryOptions, memoryParts } from "./MemoryParts.js"
import { PersonErasure } from "./PersonErasure.js"
import { ProviderEvents } from "./ProviderEvents.js"
import { makeReadiness, type Readiness } from "./Readiness.js"
import { Retention } from "./Retention.js"
import type { Role } from "./Roles.js"
import { checkConnections, checkRoles } from "./StartChecks.js"
import { makeMeasure } from "./StateGauges.js"
import { Talks } from "./talks/Talks.js"
import { watchLive } from "./wiring/LiveEvents.js"

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
  /** Agents, as the host defines them. */
  readonly agents: typeof AgentCatalog.Service
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
  /** Phone lines and their state. */
  readonly lines: typeof Lines.Service
  /** Receiver of events that telephony providers push. */
  readonly providerEvents: typeof ProviderEvents.Service
  readonly cohorts: typeof Cohorts.Service
  readonly outbounds: Pick<typeof Outbounds.Service, "start">
  readonly analytics: typeof CallAnalytics.Service
  /** Recordings of conversations, for carriers that record calls. */
  readonly recordings: typeof Recordings.Service
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
  readonly notifications: typeof NotificationRules.Service
  readonly chat: typeof Chat.Service
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
  readonly live: Pick<LiveFeed.Service, "close" | "watch">
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
  /** Starts no more calls, and completes when the last call has ended and no webhook is being sent. */
  readonly drain: Effect.Effect<void>
}>() {
  /**
   * The engine over stores, carriers, models and senders of your choice. Fails with `Invalid` when no carrier serves the
   * provider of a connection, or when this process cannot have its roles.
   */
  static readonly layer = (options: EngineOptions = {}) =>
    Layer.provide(Layer.scoped(Engine, makeEngine(rolesOf(options))), engineServices(options))

  /**
   * The engine in memory, with the simulated phone network and the scripted model by default. Fails with `Invalid`, with
   * an issue for each problem, when the options are invalid.
   */
  static readonly layerMemory = (options: MemoryOptions) =>
    Layer.provideMerge(Engine.layer(options), memoryParts(options))
}

const shuttingDown = Effect.fail(new Unavailable({ message: "The server is shutting down and accepts no more calls" }))

/** Queries of a process without a warehouse. */
const refusedQueries = (roles: ReadonlyArray<Role>) => {
  const refuse = () => Effect.die(new NotServedHere({ needed: "boards", roles }))
  const runs: typeof Runs.Service = {
    preview: refuse,
    widget: refuse,
    tab: refuse,
    widgetUncached: refuse,
    invalidate: () => Effect.void
  }
  return { runs, charts: { render: refuse } }
}

const makeEngine = (roles: ReadonlyArray<Role>) =>
  Effect.gen(function*() {
    const live = yield* LiveCalls
    const delivery = yield* WebhookDelivery
    const outbounds = yield* Outbounds
    const facts = yield* Projector
    const reports = yield* NotificationDelivery
    const time = yield* BusinessTime
    const feed = yield* LiveFeed
    const lines = yield* Lines
    let leaving = false
    let draining = false
    let waited = false
    const readiness = yield* makeReadiness(() => leaving)

    yield* checkRoles(roles)
    yield* checkConnections
    const stopDialling = roles.includes("dial") ? yield* startDialling : Effect.void
    if (roles.includes("webhooks")) yield* supervise("Webhook delivery", delivery.run)
    const stopReports = roles.includes("boards") ? yield* startBoards : Effect.void
    const queries = roles.includes("boards")
      ? { runs: yield* Runs, charts: yield* WidgetCharts }
      : refusedQueries(roles)

    const drain = Effect.gen(function*() {
      leaving = true
      draining = true
      yield* Effect.all([stopDialling, stopReports], { concurrency: 2, discard: true })
      yield* live.close
      yield* feed.close
      yield* Effect.all([delivery.drain, reports.drain], { concurrency: 2, discard: true })
    }).pipe(Effect.ensuring(Effect.sync(() => waited = true)))
    // A host that has waited for calls itself does not wait for them again.
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => waited ? Effect.void : Effect.timeoutOption(Effect.interruptible(drain), shutdownTimeout))
    )

    return Engine.of({
      agents: yield* AgentCatalog,
      deployments: yield* Deployments,
      campaigns: yield* Campaigns,
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
      erasure: yield* Erasure,
      personErasure: yield* PersonErasure,
      retention: yield* Retention,
      facts: { ...(yield* FactRevisions), catchUp: facts.catchUp, rebuild: facts.rebuild },
      boards: yield* Boards,
      ...queries,
      querySchema: yield* QuerySchema.current,
      notifications: yield* NotificationRules,
      chat: yield* Chat,
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
      live: { close: feed.close, watch: watchLive(feed, lines, time) },
      ids: yield* Ids,
      time,
      roles,
      health: Effect.gen(function*() {
        return { ready: !leaving, calls: yield* live.count, now: yield* time.now, roles }
      }),
      readiness,
      measure: yield* makeMeasure,
      withdraw: Effect.sync(() => void (leaving = true)),
      drain
    })
  })
