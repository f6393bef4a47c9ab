import type { BillingUnavailable, InsufficientCredits } from "@trunkline/errors"
import { Effect } from "effect"
import type { Usage } from "../answer/Usage.js"

/** The most that a request may use. */
export interface MostTokens {
  readonly inputTokens: number
  readonly outputTokens: number
}

/**
 * Pays for one request: sets aside what it may use before the model is asked, and takes what it did use, once. A request
 * that failed is released and costs nothing, but for one whose answer was shown whole and has not the form that was asked
 * for; one whose client left pays for its input and for what was written until then.
 */
export interface Meter {
  readonly reserve: (most: MostTokens) => Effect.Effect<void, InsufficientCredits | BillingUnavailable>
  readonly settle: (used: Usage) => Effect.Effect<void, BillingUnavailable>
  readonly release: Effect.Effect<void>
}

/** Takes nothing. */
export const freeOfCharge: Meter = {
  reserve: () => Effect.void,
  settle: () => Effect.void,
  release: Effect.void
}
