import { decodeAgent } from "@trunkline/agents"
import { Engine } from "@trunkline/engine"
import { AcceleratedTime, ConnectionId, PhoneNumber } from "@trunkline/kernel"
import { type ConnectionRequest, type PlanLimits, RateLimits } from "@trunkline/rate-limits"
import { Connection } from "@trunkline/telephony"
import { Effect, Layer } from "effect"
import { allowance, ceiling, customers, keyOf, rooms } from "./Customers.js"
import { report } from "./Reporting.js"

const connection = new Connection({
  connection_id: ConnectionId.make("sim-1"),
  provider: "simulator",
  phone_numbers: [PhoneNumber.make("+911140000003")],
  options: {}
})

const ofAll = <A>(make: (customer: typeof customers[number], room: typeof rooms[number]) => A) =>
  customers.flatMap((customer) => rooms.map((room) => make(customer, room)))

const access = {
  accounts: customers.map((account_id) => ({ account_id })),
  workspaces: ofAll((customer, room) => ({ account_id: customer, org_id: customer, workspace_id: room })),
  keys: ofAll((customer, room) => ({
    account_id: customer,
    key: keyOf(customer, room),
    workspaces: [room],
    features: ["beta"] as const
  }))
}

const requests = [{ perMinute: 1, burst: allowance }] as const

const plan: PlanLimits = {
  requests: {
    deployments: requests,
    campaigns: requests,
    cohorts: requests,
    outbounds: requests,
    analytics: requests,
    chat: requests,
    chat_core: requests,
    responses: requests,
    responses_core: requests,
    voice_cloning: requests,
    voices: requests
  },
  connections: { calls_live: ceiling }
}

/** Reports when a connection is released. */
const limits = Layer.effect(
  RateLimits,
  Effect.map(RateLimits, ({ connect, ...limits }) => ({
    ...limits,
    connect: (connecting: ConnectionRequest) =>
      Effect.suspend(() => {
        let held = false
        return Effect.addFinalizer(() => held ? report(`${connecting.subject.account_id} freed`) : Effect.void).pipe(
          Effect.zipRight(connect(connecting)),
          Effect.tap(() => void (held = true))
        )
      })
  }))
).pipe(Layer.provide(RateLimits.layerMemory({ plans: { starter: plan, pro: plan, business: plan } })))

/** Engine with very low rate limits. Business time runs 600 times as fast as real time. */
export const engine = Layer.unwrapEffect(
  Effect.map(
    decodeAgent({ app_id: "collections", versions: [{ app_version: 1, committed: true }] }),
    (agent) => Engine.layerMemory({ agents: [agent], connections: [connection], access, limits })
  )
).pipe(Layer.provide(AcceleratedTime.layer({ speed: 600, start: Date.UTC(2026, 0) })))
