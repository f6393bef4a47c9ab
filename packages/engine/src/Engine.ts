import { AgentCatalog } from "@trunkline/agents"
import { CallAnalytics, Recordings } from "@trunkline/analytics"
import { Boards, QuerySchema, Runs, WidgetCharts } from "@trunkline/boards"
import { CampaignContacts, CampaignProgress, Campaigns } from "@trunkline/campaigns"
import { Chat } from "@trunkline/chat"
import { Cohorts } from "@trunkline/cohorts"
import { Invalid, NotServedHere, Unavailable } from "@trunkline/errors"
import { BusinessTime, Ids, Processes } from "@trunkline/kernel"
import { ModelCatalog } from "@trunkline/models"
import { NotificationDelivery, NotificationRules } from "@trunkline/notifications"
import { Accounts, Credits, Keys, Load, RateLimits } from "@trunkline/rate-limits"
import { Responses } from "@trunkline/responses"
import { Speech, Voices } from "@trunkline/speech"
import {
  BlockedNumbers,
  Carriers,
  Connections,
  Deployments,
  Lines,
  LiveCalls,
  LiveFeed,
  Outbounds
} from "@trunkline/telephony"
import { FactRevisions, Projector } from "@trunkline/warehouse"
import { WebhookDeliveries, WebhookDelivery, Webhooks } from "@trunkline/webhooks"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { failWithIssues } from "./Access.js"
import { startBoards, startDialling, supervise } from "./BackgroundWork.js"
import { CampaignRehearsal } from "./CampaignRehearsal.js"
import { type EngineOptions, engineServices, rolesOf } from "./EngineServices.js"
import { Erasure } from "./Erasure.js"
import { type MemoryOptions, memoryParts } from "./MemoryParts.js"
import { ProviderEvents } from "./ProviderEvents.js"
import { hasAllRoles, readRoles, type Role } from "./Roles.js"
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
  /** Roles of this process; all of them where it is the only one. */
  readonly roles: ReadonlyArray<Role>
  readonly health: Effect.Effect<Health>
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

/** Fails unless this process can have the roles. Only processes that share their stores may leave some to others. */
const checkRoles = (roles: ReadonlyArray<Role>): Effect.Effect<void, Invalid> =>
  Effect.gen(function*() {
    const read = readRoles(roles)
    if (typeof read === "string") return yield* Invalid.at(["roles"], "value_error", read)
    const { id } = yield* Processes
    if (id === null && !hasAllRoles(roles)) {
      return yield* Invalid.at(["roles"], "value_error", "must be all where no other process shares the stores")
    }
  })

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
    let draining = false

    yield* checkRoles(roles)
    yield* checkConnections
    const stopDialling = roles.includes("dial") ? yield* startDialling : Effect.void
    if (roles.includes("webhooks")) yield* supervise("Webhook delivery", delivery.run)
    const stopReports = roles.includes("boards") ? yield* startBoards : Effect.void
    const queries = roles.includes("boards")
      ? { runs: yield* Runs, charts: yield* WidgetCharts }
      : refusedQueries(roles)

    const drain = Effect.gen(function*() {
      draining = true
      yield* Effect.all([stopDialling, stopReports], { concurrency: 2, discard: true })
      yield* live.close
      yield* feed.close
      yield* Effect.all([delivery.drain, reports.drain], { concurrency: 2, discard: true })
    })
    yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(drain), shutdownTimeout))

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
      facts: { ...(yield* FactRevisions), catchUp: facts.catchUp, rebuild: facts.rebuild },
      boards: yield* Boards,
      ...queries,
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
      live: { close: feed.close, watch: watchLive(feed, lines, time) },
      ids: yield* Ids,
      time,
      roles,
      health: Effect.gen(function*() {
        return { ready: !draining, calls: yield* live.count, now: yield* time.now, roles }
      }),
      drain
    })
  })
