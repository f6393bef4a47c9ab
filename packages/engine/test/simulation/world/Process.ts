import { AfterCalls } from "@trunkline/after-call"
import { AgentCatalog } from "@trunkline/agents"
import { AnalyticsOptions, CallAnalytics, Recordings } from "@trunkline/analytics"
import {
  CampaignCalls,
  CampaignDialLimits,
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
import { Ids, Transactions } from "@trunkline/kernel"
import {
  AgentVersions,
  Attempts,
  BlockedNumbers,
  CallEvents,
  type CallHandler,
  CallJournal,
  type CallRegistry,
  Calls,
  type CallSlots,
  type Carriers,
  type Connection,
  Connections,
  DialLease,
  LineHealth,
  LiveCalls,
  LiveFeed,
  Outbounds,
  Reaper
} from "@trunkline/telephony"
import { Projector } from "@trunkline/warehouse"
import { type HttpSender, WebhookDelivery, WebhookOwners } from "@trunkline/webhooks"
import { type Context, Duration, Effect, Layer, Redacted } from "effect"
import { supervise } from "../../../src/BackgroundWork.js"
import { Recovery } from "../../../src/index.js"
import { rosterLayer } from "../../../src/wiring/CallPorts.js"
import { endedAttemptsLayer } from "../../../src/wiring/EndedAttempts.js"
import type { Stores } from "./Stores.js"

/** Environment of one process of the engine. */
export interface EngineEnvironment {
  readonly stores: Context.Context<Stores>
  readonly transactions: Context.Tag.Service<typeof Transactions>
  readonly ids: Context.Tag.Service<typeof Ids>
  readonly connections: ReadonlyArray<Connection>
  readonly carriers: Layer.Layer<Carriers, never, CallEvents>
  readonly agent: Layer.Layer<CallHandler>
  readonly sender: Layer.Layer<HttpSender>
  readonly faults: Layer.Layer<never>
  readonly slots: Layer.Layer<CallSlots>
  readonly carried: Layer.Layer<CallRegistry>
  readonly recovery: typeof Recovery.layer
}

/** Discards facts, which the simulation does not cover. */
const noProjector = Layer.succeed(Projector, {
  run: Effect.never,
  nudge: () => Effect.void,
  catchUp: () => Effect.void,
  rebuild: () => Effect.void
})

/** Works on no ended calls, since the agents of the simulation want nothing from them. */
const noAfterCalls = Layer.succeed(AfterCalls, { run: Effect.never, nudge: Effect.void, drain: Effect.void })

/** Records no audio. */
const noRecordings = Layer.succeed(Recordings, {
  keep: () => Effect.void,
  find: () => Effect.succeedNone,
  remove: () => Effect.void
})

/** Services that the engine requires. */
const requirements = ({ agent, carriers, connections, faults, ids, sender, stores, transactions }: EngineEnvironment) =>
  Layer.mergeAll(
    carriers,
    agent,
    sender,
    Connections.layerOf(connections),
    AgentVersions.layerAny,
    WebhookOwners.layerNone
  )
    .pipe(
      Layer.provideMerge(CallEvents.layer()),
      Layer.provideMerge(Layer.mergeAll(
        Layer.succeedContext(stores),
        Layer.succeed(Transactions, transactions),
        Layer.succeed(Ids, ids),
        Layer.succeed(AnalyticsOptions, { contactSalt: Redacted.make("salt"), exposeUserContact: false }),
        DialLease.layerMemory,
        noProjector,
        noAfterCalls,
        AgentCatalog.layerOf([]),
        noRecordings,
        faults
      ))
    )

/** Services of calls, campaigns and webhooks, wired as in the engine. */
const services = ({ carried, recovery, slots }: EngineEnvironment) =>
  Layer.mergeAll(recovery, CampaignRunner.layer, Campaigns.layer).pipe(
    Layer.provideMerge(CampaignWorker.layer),
    Layer.provideMerge(Layer.mergeAll(Dialler.layer, Enrolment.layer)),
    Layer.provideMerge(Layer.mergeAll(CampaignCalls.layer, Outbounds.layer)),
    Layer.provideMerge(Canaries.layer),
    Layer.provideMerge(Gate.layer),
    Layer.provideMerge(Layer.mergeAll(Attempts.layer, Calls.layer, Reaper.layer)),
    Layer.provideMerge(CallJournal.layer),
    Layer.provideMerge(Layer.merge(endedAttemptsLayer({}), rosterLayer)),
    Layer.provideMerge(Layer.mergeAll(
      CallAnalytics.layer,
      LiveCalls.layer,
      slots,
      WebhookDelivery.layer({ pollInterval: Duration.hours(1) })
    )),
    Layer.provideMerge(Layer.mergeAll(
      BlockedNumbers.layer,
      CampaignSignals.layer,
      RingingCalls.layer,
      carried,
      CampaignDialLimits.layer,
      Layer.succeed(DailyCap, Infinity),
      LineHealth.layer(),
      LiveFeed.layer
    ))
  )

/** Background services, as `Engine` runs them. */
const background = Layer.scopedDiscard(Effect.gen(function*() {
  const { find, findLost } = yield* Recovery
  const { settle } = yield* find
  yield* Effect.forkScoped(settle)
  const recoverLost = Effect.flatMap(findLost, ({ settle }) => settle)
  yield* supervise("The reaper of abandoned calls", (yield* Reaper).run(recoverLost))
  yield* supervise("The campaign runner", (yield* CampaignRunner).run)
  yield* supervise("Outbound calling", (yield* Outbounds).run)
  yield* supervise("Webhook delivery", (yield* WebhookDelivery).run)
}))

/** One process of the calling part of the engine. */
export const processOf = (environment: EngineEnvironment) =>
  background.pipe(Layer.provideMerge(services(environment)), Layer.provideMerge(requirements(environment)))

/** Services that operators use. */
export type Running = Layer.Layer.Success<ReturnType<typeof processOf>>
