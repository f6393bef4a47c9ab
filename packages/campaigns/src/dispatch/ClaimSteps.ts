import type { Campaign } from "../campaign/Campaign.js"
import { type BudgetFacts, callsWithin } from "../campaign/CampaignBudget.js"
import type { Contact } from "../contacts/Contact.js"
import type { Deferral } from "../contacts/ContactTransitions.js"
import type { GateResult } from "../contacts/GateResult.js"
import type { Blocker } from "../gate/Blocker.js"
import type { KnownLine } from "./DialLines.js"
import { dialsAllowed, maxDialsPerClaim, nextDialAt, type Pace } from "./Pace.js"

/** Everything that the start of a claim depends on. */
export interface BatchFacts {
  /** Epoch milliseconds of business time. */
  readonly now: number
  /** The campaign as its lines and its agent were looked up. */
  readonly preparedCampaign: Campaign
  /** The campaign as the transaction finds it. */
  readonly current: Campaign
  /** The gate's decision about the current campaign as a whole. */
  readonly gate: GateResult
  readonly pace: Pace
  /** The campaign's budget; null without one. */
  readonly budget: BudgetFacts | null
}

/** Start of a claim: the number of contacts to claim at most, or nothing, with the blocker if there is one. */
export type BatchStep =
  | { readonly _tag: "Stop"; readonly blocker: Blocker | null }
  | { readonly _tag: "Claim"; readonly limit: number }

/**
 * Decides how many contacts to claim. None when the campaign's configuration has changed since its agent and lines were
 * looked up: then the next look prepares a new claim.
 */
export const batchStep = ({ budget, current, gate, now, pace, preparedCampaign }: BatchFacts): BatchStep => {
  if (!hasSameConfig(current, preparedCampaign)) return { _tag: "Stop", blocker: null }
  if (gate.verdict !== "allow") return { _tag: "Stop", blocker: { _tag: "Gate", result: gate } }
  const rate = current.app_config.attempts_per_second
  const limit = dialsAllowed(pace, rate, now, maxDialsPerClaim)
  return limit === 0
    ? { _tag: "Stop", blocker: { _tag: "Rate", at: nextDialAt(pace, rate) } }
    : { _tag: "Claim", limit: budget === null ? limit : Math.min(limit, callsWithin(budget)) }
}

const hasSameConfig = ({ app_config: current }: Campaign, { app_config: prepared }: Campaign): boolean =>
  current === prepared || JSON.stringify(current) === JSON.stringify(prepared)

/** Handling of one due contact. */
export type ContactStep =
  /** Ends an attempt at once, without a dial, because the number is blocked. */
  | { readonly _tag: "RecordBlocked"; readonly line: KnownLine }
  /** Finishes the contact without an attempt. */
  | { readonly _tag: "Finish"; readonly decision: GateResult }
  /** Postpones the contact. */
  | { readonly _tag: "Defer"; readonly deferral: Deferral }
  /** Claims the contact on the next free line. */
  | { readonly _tag: "Claim" }

/** Decides what to do with a due contact. A blocked number is recorded on the campaign's first `line`. */
export const contactStep = ({ contact, gate, line }: {
  readonly contact: Pick<Contact, "due_at" | "user_phone_number">
  readonly gate: GateResult
  readonly line: KnownLine | undefined
}): ContactStep => {
  if (gate.reason === "blocked_number" && line !== undefined) return { _tag: "RecordBlocked", line }
  const { due_at, user_phone_number } = contact
  switch (gate.verdict) {
    case "never":
      return { _tag: "Finish", decision: gate }
    case "not_before":
      return { _tag: "Defer", deferral: { user_phone_number, due_at: gate.not_before ?? due_at, decision: gate } }
    case "allow":
      return { _tag: "Claim" }
  }
}
