import {
  AppId,
  BusinessTime,
  CohortId,
  ConnectionId,
  Ids,
  OrgId,
  PhoneNumber,
  Scope,
  Transactions,
  WorkspaceId
} from "@trunkline/kernel"
import {
  AgentVersions,
  type Attempt,
  AttemptListener,
  Attempts,
  AttemptStore,
  BlockedNumbers,
  BlockedNumbersStore,
  CallEvents,
  CallEventStore,
  CallHandler,
  CallJournal,
  CallJournalStore,
  CallRegistry,
  Calls,
  CallSlots,
  type Carriers,
  Connection,
  Connections,
  DialLease,
  LineHealth,
  LiveCalls,
  SimulatedNetwork,
  type SimulatorOptions
} from "@trunkline/telephony"
import { Effect, Layer, Logger, LogLevel, Schema } from "effect"
import {
  CampaignCalls,
  CampaignContacts,
  CampaignDialLimits,
  CampaignProgress,
  CampaignRunner,
  Campaigns,
  CampaignSignals,
  CampaignStore,
  CampaignWorker,
  Canaries,
  CreateCampaign,
  Dialler,
  DispatchStores,
  Enrolment,
  Gate,
  RingingCalls,
  Roster
} from "../src/index.js"

export const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })

const connection = (id: string, numbers: ReadonlyArray<string>, max_channels = 50) =>
  new Connection({
    connection_id: ConnectionId.make(id),
    provider: "simulator",
    phone_numbers: numbers.map((number) => PhoneNumber.make(number)),
    max_channels,
    options: {}
  })

const connections = (channels?: number) => [
  connection("sim-1", ["+911140000001", "+911140000002"], channels),
  connection("sim-2", ["+911140000003"], channels)
]

export const numberOf = (index: number) => PhoneNumber.make(`+9198765${String(index).padStart(5, "0")}`)

/** Contacts of a cohort, numbered from 0. */
export const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    cohort_id: CohortId.make("coh-000000000001"),
    user_identifier: `person-${index}`,
    user_phone_number: numberOf(index),
    agent_variables: { index },
    app_overrides: {}
  }))

/** Monday 20 May 2024, 10:00 in India. */
export const mondayMorning = Date.parse("2024-05-20T04:30:00Z")

export const campaignBody = (changes: Record<string, unknown> = {}, config: Record<string, unknown> = {}) =>
  Schema.decodeUnknownSync(CreateCampaign)({
    name: "May reminders",
    app_config: {
      app_id: AppId.make("collections"),
      app_version: 1,
      connection_configs: [{ connection_id: "sim-1", phone_numbers: ["+911140000001"] }],
      ...config
    },
    start_timestamp: "2024-05-20T04:30:00Z",
    end_timestamp: "2024-05-27T04:30:00Z",
    allowed_schedule: {
      allowed_start_time: "09:00",
      allowed_end_time: "18:00",
      allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
    },
    ...changes
  })

/** Parts that a test may replace. */
type Parts = AttemptStore | CampaignStore | Carriers | Connections | DispatchStores | Transactions

interface World {
  readonly people: number | Layer.Layer<Roster>
  readonly simulator?: SimulatorOptions
  readonly maxConcurrentCalls?: number
  /** Calls that each connection and the workspace carry at once; 50 unless given. */
  readonly lines?: number
  /** Agent versions; all are committed by default. */
  readonly agents?: Layer.Layer<AgentVersions>
  /** Every attempt that ended, in the order of ending. */
  readonly history?: Array<Attempt>
  /** Replaces parts by versions that do something wrong. */
  readonly spoil?: Layer.Layer<never, never, Parts>
}

const parts = (world: World) =>
  Layer.mergeAll(
    typeof world.people === "number" ? Roster.layerOf(people(world.people)) : world.people,
    SimulatedNetwork.layerCarriers(world.simulator),
    Connections.layerOf(connections(world.lines)),
    world.agents ?? AgentVersions.layerAny,
    Layer.succeed(AttemptListener, {
      onEnd: (attempts) => Effect.sync(() => void world.history?.push(...attempts)),
      onCommit: () => Effect.void
    }),
    AttemptStore.layerMemory,
    CampaignStore.layerMemory,
    DispatchStores.layerMemory,
    BlockedNumbersStore.layerMemory,
    CampaignSignals.layer,
    RingingCalls.layer,
    CallEventStore.layerMemory,
    CallJournalStore.layerMemory,
    CallRegistry.layer,
    CampaignDialLimits.layer,
    CallHandler.layerHello,
    DialLease.layerMemory,
    LineHealth.layer(),
    CallSlots.layer({ maxConcurrentCalls: world.maxConcurrentCalls ?? world.lines ?? 50, inboundShare: 0 }),
    LiveCalls.layer,
    Transactions.layerMemory,
    Ids.layerSeeded("campaigns"),
    Logger.minimumLogLevel(LogLevel.None)
  )

/** All services of campaigns, in memory, on a simulated network. */
export const campaigns = (world: World) =>
  Layer.mergeAll(Campaigns.layer, CampaignRunner.layer, CampaignContacts.layer, CampaignProgress.layer).pipe(
    Layer.provideMerge(CampaignWorker.layer),
    Layer.provideMerge(Layer.mergeAll(Dialler.layer, Enrolment.layer)),
    Layer.provideMerge(CampaignCalls.layer),
    Layer.provideMerge(Canaries.layer),
    Layer.provideMerge(Gate.layer),
    Layer.provideMerge(Layer.mergeAll(Attempts.layer, Calls.layer, BlockedNumbers.layer)),
    Layer.provideMerge(CallJournal.layer),
    Layer.provideMerge(CallEvents.layer()),
    Layer.provideMerge(Layer.provideMerge(world.spoil ?? Layer.empty, parts(world)))
  )

/** Waits until the campaign is over and returns it. */
export const over = (id: Parameters<typeof Campaigns.Service["get"]>[1]) =>
  Effect.gen(function*() {
    const service = yield* Campaigns
    let campaign = yield* service.get(scope, id)
    while (campaign.status !== "ended" && campaign.status !== "cancelled") {
      yield* BusinessTime.sleep("1 minute")
      campaign = yield* service.get(scope, id)
    }
    return campaign
  })
