import { RateLimited } from "@trunkline/errors"
import { Ids, steadily } from "@trunkline/kernel"
import { Context, Duration, Effect, Layer, Record, type Scope } from "effect"
import type { Plan } from "../accounts/Plan.js"
import { BucketStore, type Taken } from "./BucketStore.js"
import { connectionFamilies, requestFamilies } from "./Families.js"
import { planFaults } from "./PlanFaults.js"
import { type LimitedApi, type LimitedConnection, type PlanTable, planTable } from "./PlanTable.js"
import { SlotStore } from "./SlotStore.js"

/** Who wants something. A `Caller` is one; so is whatever else has an account and a plan. */
export interface Limited {
  readonly account_id: string
  readonly plan: Plan
  /** The key that was used, for allowances per key; they count per account without it. */
  readonly key_id?: string
  /** The workspace that it is about, for allowances per organisation and key; they count per account without it. */
  readonly scope?: { readonly org_id: string; readonly workspace_id: string }
}

/** One request that wants to be let in. */
export interface Spending {
  readonly who: Limited
  /** A family of the plan table. One that the table does not have is a defect. */
  readonly api: LimitedApi | (string & {})
  /** How much of the allowance it takes: a whole number from 1 to the burst, anything else is a defect; 1 when absent. */
  readonly cost?: number
}

/** One connection that wants to be held. */
export interface Connecting {
  readonly who: Limited
  /** A family of connections of the plan table. One that the table does not have is a defect. */
  readonly api: LimitedConnection | (string & {})
}

/** How the limits are set. */
export interface RateLimitsOptions {
  /** What every plan allows; `planTable` when absent. One that cannot be used is a defect of the layer. */
  readonly plans?: PlanTable
}

/** How long a connection's place is kept without a sign of life, and how often it gives one (reliability 2.3). */
const placeTtl = Duration.seconds(30)
const heartbeat = Duration.seconds(10)

const retryAfter = ({ retryAfter }: Taken) => Duration.millis(Math.ceil(retryAfter / 1000))

/**
 * Counts requests and connections against what a plan allows (specification, Rate limits). It needs nothing but a
 * bucket store and a slot store, so it can stand in front of any handler.
 */
export class RateLimits extends Context.Tag("@trunkline/rate-limits/RateLimits")<RateLimits, {
  /** Takes the request's cost from its allowances, or takes nothing; says which, and what is left. */
  readonly decide: (spending: Spending) => Effect.Effect<Taken>
  /** Takes the request's cost from its allowances, or refuses and takes nothing. */
  readonly spend: (spending: Spending) => Effect.Effect<void, RateLimited>
  /**
   * Holds a connection until the scope ends. Refuses when it opens them too fast: a tenth of the ceiling a second, in
   * bursts of a quarter of it, at least 5 (reliability 2.3); and then, when the account has as many as its plan allows.
   * The failure's message says which, in at most 123 bytes of ASCII, as much as a WebSocket's close frame takes. When
   * a place comes free is not known; `retryAfter` is 10 seconds then.
   */
  readonly connect: (connecting: Connecting) => Effect.Effect<void, RateLimited, Scope.Scope>
}>() {
  /** Counts in a bucket store and a slot store. */
  static readonly layer = ({ plans = planTable }: RateLimitsOptions = {}) =>
    Layer.effect(
      RateLimits,
      Effect.gen(function*() {
        const buckets = yield* BucketStore
        const slots = yield* SlotStore
        const ids = yield* Ids
        const faults = planFaults(plans)
        if (faults.length > 0) return yield* Effect.dieMessage(`The plan table cannot be used: ${faults.join("; ")}`)
        const requests = Record.map(plans, requestFamilies)
        const connections = Record.map(plans, connectionFamilies)

        const decide = ({ api, cost = 1, who }: Spending) => {
          const family = requests[who.plan].get(api)
          if (family === undefined) return Effect.dieMessage(`The plan ${who.plan} has no requests named ${api}`)
          if (!Number.isInteger(cost) || cost < 1 || cost > family.largestCost) {
            return Effect.dieMessage(`${api} cannot cost ${cost}, only a whole number from 1 to ${family.largestCost}`)
          }
          return buckets.take(family.bucketsOf(who), cost)
        }

        const spend = (spending: Spending) =>
          Effect.flatMap(decide(spending), (taken) =>
            taken.admitted
              ? Effect.void
              : new RateLimited({ api: spending.api, retryAfter: retryAfter(taken) }))

        const connect = Effect.fn("RateLimits.connect")(function*({ api, who }: Connecting) {
          const family = connections[who.plan].get(api)
          if (family === undefined) {
            return yield* Effect.dieMessage(`The plan ${who.plan} has no connections named ${api}`)
          }
          const opened = yield* buckets.take([family.speedOf(who)], 1)
          if (!opened.admitted) {
            return yield* new RateLimited({ api, reason: "connection_speed", retryAfter: retryAfter(opened) })
          }
          const slot = { owner: who.account_id, name: api, holder: yield* ids.uuid }
          const hold = slots.hold(slot, { limit: family.ceiling, ttl: Duration.toMillis(placeTtl) })
          const isHeld = yield* Effect.acquireRelease(hold, (isHeld) => isHeld ? slots.release(slot) : Effect.void)
          if (!isHeld) return yield* new RateLimited({ api, reason: "connections", retryAfter: heartbeat })
          yield* Effect.zipRight(hold, Effect.sleep(heartbeat)).pipe(
            Effect.forever,
            steadily({ message: "A connection's place could not be renewed", first: "1 second", longest: "5 seconds" }),
            Effect.delay(heartbeat),
            Effect.forkScoped
          )
        })

        return RateLimits.of({ decide, spend, connect })
      })
    ).pipe(Layer.provide(Ids.layer))

  /** Counts in this process's memory. */
  static readonly layerMemory = (options?: RateLimitsOptions) =>
    RateLimits.layer(options).pipe(Layer.provide([BucketStore.layerMemory, SlotStore.layerMemory]))

  /** Lets everything in. */
  static readonly layerUnlimited = Layer.succeed(RateLimits, {
    decide: () => Effect.succeed({ admitted: true, remaining: Infinity, retryAfter: 0, resetAfter: 0, at: 0 }),
    spend: () => Effect.void,
    connect: () => Effect.void
  })
}
