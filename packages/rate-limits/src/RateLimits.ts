import type { RateLimited } from "@trunkline/errors"
import { Context, Effect, Layer } from "effect"
import type { AccountId } from "./Account.js"

/** A group of routes with an allowance of its own (shapes 11). */
export type LimitedApi = "deployments" | "campaigns" | "cohorts" | "outbounds" | "analytics"

/** One request that wants to be let in. */
export interface Spending {
  readonly account_id: AccountId
  readonly api: LimitedApi
  /** How much of the allowance it takes; 1 when absent. */
  readonly cost?: number
}

/**
 * The seam for rate limits. Every authenticated request is announced here, after its key is known and
 * before its body is read (decisions 5); an implementation counts per account and API, whatever the key.
 */
export class RateLimits extends Context.Tag("@trunkline/rate-limits/RateLimits")<RateLimits, {
  /** Takes the request's cost from the account's allowance, or refuses and takes nothing. */
  readonly spend: (spending: Spending) => Effect.Effect<void, RateLimited>
}>() {
  /** Lets everything in. */
  static readonly layerUnlimited = Layer.succeed(RateLimits, { spend: () => Effect.void })
}
