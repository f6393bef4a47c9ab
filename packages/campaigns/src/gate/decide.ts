import { agentVersion, cancelled, ended, paused, scheduled, window } from "./CampaignChecks.js"
import type { Check, GateFacts } from "./Check.js"
import { allow, type Decision } from "./Decision.js"
import { capacity, lineMissing, linePaused, rate } from "./LineChecks.js"
import { blocked, dailyCap, due, onThePhone, stopped } from "./PersonChecks.js"

/**
 * Every check before a dial, in the order in which they are made. First what is for good, about the campaign and then
 * about the person; then what holds the whole campaign; then what holds the person; last the lines and the rate. The
 * first one that holds is the reason.
 */
export const checks: ReadonlyArray<Check> = [
  cancelled,
  ended,
  stopped,
  blocked,
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

/** Whether somebody may be called, and if not, why: one total function of the facts. */
export const decide = (facts: GateFacts): Decision => {
  for (const { check } of checks) {
    const decision = check(facts)
    if (decision !== null) return decision
  }
  return allow("allowed", facts.now)
}
