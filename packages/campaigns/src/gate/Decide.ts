import { allow, type GateResult } from "../contacts/GateResult.js"
import {
  agentVersion,
  budget,
  cancelled,
  capacity,
  ended,
  lineMissing,
  linePaused,
  paused,
  rate,
  scheduled,
  window
} from "./CampaignChecks.js"
import { blocked, dailyCap, due, onThePhone, stopped } from "./ContactChecks.js"
import type { Check, GateFacts } from "./GateFacts.js"

/**
 * All checks before a dial, in order. First the final ones, about the campaign and then the contact; then those that hold
 * the whole campaign; then those that hold the contact; last the lines and the rate. The first objection is the reason.
 */
export const checks: ReadonlyArray<Check> = [
  cancelled,
  ended,
  stopped,
  blocked,
  budget,
  paused,
  scheduled,
  agentVersion,
  due,
  window,
  onThePhone,
  dailyCap,
  lineMissing,
  linePaused,
  capacity,
  rate
]

/** Decides about a call: a total, pure function of the facts. */
export const decide = (facts: GateFacts): GateResult => {
  for (const { check } of checks) {
    const result = check(facts)
    if (result !== null) return result
  }
  return allow("allowed", facts.now)
}
