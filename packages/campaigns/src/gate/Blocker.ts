import type { CampaignId } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import type { GateResult } from "../contacts/GateResult.js"

/** Availability of a campaign's lines for the next dial. */
export type LineStatus =
  | { readonly _tag: "Free" }
  /** None of its connections is configured. */
  | { readonly _tag: "Missing" }
  /** All circuit breakers are open; the first one is probed at `until`. */
  | { readonly _tag: "Paused"; readonly until: number }
  /** All are in use. `limits` has a clause for each limit that was met. */
  | { readonly _tag: "Busy"; readonly limits: ReadonlyArray<string> }

/** No line can take the next dial. */
export interface LineBlocker {
  readonly _tag: "Line"
  readonly status: Exclude<LineStatus, { readonly _tag: "Free" }>
  /** Completes when a busy line may have become free; never when none is busy. */
  readonly vacancy: Effect.Effect<void>
  /** When the first paused line is probed, epoch milliseconds of business time; infinity when none is paused. */
  readonly until: number
}

/** Reason why a campaign places no further call now. Moments are epoch milliseconds of business time. */
export type Blocker =
  /** The rate allows no dial before `at`. */
  | { readonly _tag: "Rate"; readonly at: number }
  /** No waiting contact is due. */
  | { readonly _tag: "NoneDue" }
  /** The gate holds the whole campaign. */
  | { readonly _tag: "Gate"; readonly result: GateResult }
  | LineBlocker

/** The limits that a campaign's dialler met last. */
export interface DialLimits {
  readonly line: LineStatus
  /** The earliest moment of the next dial by the rate, epoch milliseconds of business time. */
  readonly nextDialAt: number
}

/** Limits of a campaign that may dial at once on a free line. */
export const noLimits: DialLimits = { line: { _tag: "Free" }, nextDialAt: 0 }

/** The line and rate limits of the campaigns that run in this process, as their diallers last met them. */
export class CampaignDialLimits extends Context.Tag("@trunkline/campaigns/Holds")<CampaignDialLimits, {
  readonly of: (campaign: CampaignId) => Effect.Effect<DialLimits>
  readonly set: (campaign: CampaignId, limits: DialLimits) => Effect.Effect<void>
  /** Forgets a campaign that is over. */
  readonly forget: (campaign: CampaignId) => Effect.Effect<void>
}>() {
  static readonly layer = Layer.sync(CampaignDialLimits, () => {
    const limitsOf = new Map<CampaignId, DialLimits>()
    return CampaignDialLimits.of({
      of: (campaign) => Effect.sync(() => limitsOf.get(campaign) ?? noLimits),
      set: (campaign, limits) => Effect.sync(() => void limitsOf.set(campaign, limits)),
      forget: (campaign) => Effect.sync(() => void limitsOf.delete(campaign))
    })
  })
}
