import type { CampaignStore, DispatchStores } from "@trunkline/campaigns"
import type { CohortStore } from "@trunkline/cohorts"
import { AppId, AttemptId, ConnectionId, PhoneNumber } from "@trunkline/kernel"
import { Attempt, AttemptStore, type Carriers, Connection, type Dedupe, SimulatedNetwork } from "@trunkline/telephony"
import { Duration, Effect, Layer } from "effect"
import { Engine, memoryParts } from "../../src/index.js"
import { agents, connections, mondayMorning, scope } from "../Fixtures.js"

export const id = AttemptId.make("018f9430-0000-7000-8000-000000000001")

export const user_phone_number = PhoneNumber.make("+919876543210")

export const agent_phone_number = PhoneNumber.make("+911140000001")

export const line = new Connection({
  connection_id: ConnectionId.make("sim-1"),
  provider: "simulator",
  phone_numbers: [agent_phone_number],
  options: {}
})

/** Single call that was in progress when the engine stopped. */
export const callInProgress = (state: Attempt["state"], change: Partial<Attempt> = {}) =>
  new Attempt({
    ...scope,
    attempt_id: id,
    kind: "outbound",
    app_id: AppId.make("collections"),
    app_version: 1,
    campaign_id: null,
    cohort_id: null,
    deployment_id: null,
    connection_id: line.connection_id,
    channel_provider: "simulator",
    channel_protocol: "simulated",
    user_identifier: "someone",
    user_phone_number,
    agent_phone_number,
    retry_attempt: 0,
    agent_variables: {},
    app_overrides: {},
    webhook: null,
    attempted_at: mondayMorning - 1_000,
    state,
    provider_call_id: state === "accepted" ? `sim-${id}` : null,
    result: null,
    ...change
  })

export type LeftOver = Layer.Layer<never, never, AttemptStore | CampaignStore | CohortStore | DispatchStores>

/** Starts an engine on the stores and the network of a stopped one. */
export const restarted = <A, E>(
  { leftOver, maxConcurrentCalls = 10, network, spoil = Layer.empty }: {
    readonly leftOver: LeftOver
    readonly network: typeof SimulatedNetwork.Service
    readonly maxConcurrentCalls?: number
    readonly spoil?: Layer.Layer<never, never, Carriers>
  },
  test: Effect.Effect<A, E, AttemptStore | DispatchStores | Engine>
) => {
  const carriers = SimulatedNetwork.layerOf(network)
  const stores = memoryParts({ agents, connections })
  const parts = Layer.provideMerge(spoil, Layer.provideMerge(Layer.merge(leftOver, carriers), stores))
  return Effect.provide(
    test,
    Engine.layer({ maxConcurrentCalls }).pipe(
      Layer.provideMerge(parts)
    )
  )
}

export const leftOver = (...attempts: ReadonlyArray<Attempt>): LeftOver =>
  Layer.effectDiscard(
    Effect.flatMap(AttemptStore, (store) => store.insertMany(attempts))
  )

export const dialled = (network: typeof SimulatedNetwork.Service) =>
  Effect.map(network.calls, (calls) => calls.map(({ attempt_id }) => attempt_id))

export const key: Dedupe = { _tag: "Key", ttl: Duration.hours(1) }

export const lookup: Dedupe = { _tag: "Lookup", settle: Duration.minutes(1) }

export const none: Dedupe = { _tag: "None" }
