import { assert, describe } from "@effect/vitest"
import {
  CampaignCalls,
  CampaignDialLimits,
  CampaignRunner,
  Campaigns,
  CampaignSignals,
  CampaignWorker,
  Canaries,
  Dialler,
  Enrolment,
  Gate,
  RingingCalls,
  Roster
} from "@trunkline/campaigns"
import { Bus, BusinessTime, CohortId, ConnectionId, Ids, makeMemoryBus, PhoneNumber } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { StoragePostgres } from "@trunkline/storage-postgres"
import {
  AgentVersions,
  AttemptListener,
  Attempts,
  BlockedNumbers,
  CallEvents,
  CallHandler,
  CallJournal,
  CallRegistry,
  Calls,
  CallSlots,
  Connection,
  Connections,
  LineHealth,
  LiveCalls,
  SimulatedNetwork
} from "@trunkline/telephony"
import { Context, Effect, Layer } from "effect"
import { migratedDatabase, onPostgres } from "../../../../test/setup/Postgres.js"
import { isFullSize } from "../../../../test/setup/Scale.js"
import { campaignBody, scope } from "./SharedCampaign.js"

/** Calls at a time, more than there are. */
const lines = 1_000

const trunk = new Connection({
  connection_id: ConnectionId.make("trunk"),
  provider: "simulator",
  phone_numbers: [PhoneNumber.make("+911140000001")],
  max_channels: lines,
  options: {}
})

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    cohort_id: CohortId.make("coh-000000000001"),
    user_identifier: `person-${index}`,
    user_phone_number: PhoneNumber.make(`+91${9_876_500_000 + index}`),
    agent_variables: {},
    app_overrides: {}
  }))

/** Dials, with the process that made each and its moment. */
type Dials = Array<{ readonly process: string; readonly at: number }>

/** The network as one of the processes uses it, which notes its dials. */
const observed = (network: typeof SimulatedNetwork.Service, process: string, dials: Dials) =>
  SimulatedNetwork.of({
    ...network,
    carrier: {
      ...network.carrier,
      place: (plan) =>
        Effect.zipRight(
          Effect.map(BusinessTime.now, (at) => dials.push({ process, at })),
          network.carrier.place(plan)
        )
    }
  })

/** The runner of campaigns of one of the processes that share a database, a bus and a network. */
const processOf = ({ bus, count, database, dials, name, network }: {
  readonly name: string
  readonly database: string
  readonly bus: Effect.Effect<Bus.Service>
  readonly network: typeof SimulatedNetwork.Service
  readonly dials: Dials
  /** Number of people in every campaign. */
  readonly count: number
}) => {
  const parts = Layer.mergeAll(
    Roster.layerOf(people(count)),
    SimulatedNetwork.layerOf(observed(network, name, dials)),
    Connections.layerOf([trunk]),
    AgentVersions.layerAny,
    AttemptListener.layerNone,
    CampaignSignals.layer,
    RingingCalls.layer,
    CallRegistry.layer,
    CampaignDialLimits.layer,
    CallHandler.layerHello,
    LineHealth.layer(),
    CallSlots.layer({ maxConcurrentCalls: lines, inboundShare: 0 }),
    LiveCalls.layer,
    Ids.layerSeeded(name)
  )
  const live = Layer.mergeAll(Campaigns.layer, CampaignRunner.layer).pipe(
    Layer.provideMerge(CampaignWorker.layer),
    Layer.provideMerge(Layer.mergeAll(Dialler.layer, Enrolment.layer)),
    Layer.provideMerge(CampaignCalls.layer),
    Layer.provideMerge(Canaries.layer),
    Layer.provideMerge(Gate.layer),
    Layer.provideMerge(Layer.mergeAll(Attempts.layer, Calls.layer, BlockedNumbers.layer)),
    Layer.provideMerge(CallJournal.layer),
    Layer.provideMerge(CallEvents.layer()),
    Layer.provideMerge(parts),
    Layer.provideMerge(Layer.effect(Bus, bus)),
    Layer.provideMerge(StoragePostgres.layer({ url: database, connections: 3 }))
  )
  return Effect.tap(
    BusinessTime.hold(Layer.build(Layer.fresh(live))),
    (services) => Effect.forkScoped(Context.get(services, CampaignRunner).run)
  )
}

/** Dials of a campaign that four processes share, until it has ended. */
const dialsOf = (rate: number, count: number) =>
  Effect.gen(function*() {
    const database = yield* BusinessTime.hold(migratedDatabase)
    const [bus, network] = [yield* makeMemoryBus, yield* SimulatedNetwork.make()]
    const dials: Dials = []
    const [first] = yield* Effect.forEach(["one", "two", "three", "four"], (name) =>
      processOf({ name, database, bus, network, dials, count }))
    if (first === undefined) {
      return yield* Effect.dieMessage("There is no process")
    }
    const campaigns = Context.get(first, Campaigns)
    const { campaign_id } = yield* campaigns.create(scope, campaignBody(rate), "tests")
    const status = Effect.map(campaigns.get(scope, campaign_id), ({ status }) =>
      status)
    yield* Effect.repeat(Effect.delay(status, "1 second"), { until: (status) => status === "ended" })
    return dials
  })

/** Seconds for which each campaign dials: some turns long. */
const seconds = isFullSize ? 24 : 12

onPostgres(() => {
  describe("four processes in virtual time, in which no machine is late", () => {
    for (const rate of isFullSize ? [7, 20, 50] : [20]) {
      virtualTest(
        `dial at a rate of ${rate} a second within 1 %, though the turn goes round`,
        () =>
          Effect.gen(function*() {
            const count = rate * seconds
            const dials = yield* dialsOf(rate, count)
            assert.lengthOf(dials, count)
            const times = dials.map(({ at }) => at)
            const took = (times.at(-1) ?? 0) - (times[0] ?? 0)
            assert.closeTo((count - 1) * 1_000 / took, rate, rate / 100)
            for (const [index, at] of times.entries()) {
              assert.isAtLeast((times[index + rate + 1] ?? Infinity) - at, 1_000)
            }
            const turns = dials.filter(({ process }, index) => process !== dials[index - 1]?.process)
            assert.isAtLeast(turns.length, Math.floor(seconds / 6))
          }),
        { start: Date.parse("2024-05-20T04:30:00Z") }
      )
    }
  })
})
