import type { RateLimited } from "@trunkline/errors"
import { Context, Effect, Layer, type Scope } from "effect"
import type { Plan } from "../accounts/Plan.js"
import type { Taken } from "./BucketStore.js"
import type { LimitedApi, LimitedConnection } from "./PlanTable.js"

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
   * Holds a connection until the scope ends. Refuses when the account has as many as its plan allows, and when it opens
   * them too fast: a tenth of the ceiling a second, in bursts of a quarter of it, at least 5 (reliability 2.3).
   */
  readonly connect: (connecting: Connecting) => Effect.Effect<void, RateLimited, Scope.Scope>
}>() {
  /** Lets everything in. */
  static readonly layerUnlimited = Layer.succeed(RateLimits, {
    decide: () => Effect.succeed({ admitted: true, remaining: Infinity, retryAfter: 0, resetAfter: 0, at: 0 }),
    spend: () => Effect.void,
    connect: () => Effect.void
  })
}
