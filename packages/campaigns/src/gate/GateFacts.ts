import type { Campaign } from "../campaign/Campaign.js"
import type { BudgetFacts } from "../campaign/CampaignBudget.js"
import type { GateReason, GateResult } from "../contacts/GateResult.js"
import type { LineStatus } from "./Blocker.js"

/** Facts about a waiting contact. */
export interface ContactFacts {
  readonly due_at: number
  /** The stored reason for waiting until then. */
  readonly since: GateReason
  readonly isStopped: boolean
  readonly isBlocked: boolean
  readonly isOnThePhone: boolean
  /** Dials of the number by the workspace since the day began in the campaign's zone. */
  readonly dialsToday: number
}

/** Everything that a decision of the gate depends on. Moments are epoch milliseconds of business time. */
export interface GateFacts {
  readonly now: number
  readonly campaign: Campaign
  /** True while the agent's version is committed. */
  readonly isAgentCommitted: boolean
  /** The campaign's budget and what is used of it; null without one. */
  readonly budget: BudgetFacts | null
  readonly line: LineStatus
  /** The earliest moment of the next dial by the rate. */
  readonly nextDialAt: number
  /** Dials per number and day that a workspace allows; infinity without a cap. */
  readonly dailyCap: number
  /** Null to decide about the campaign as a whole. */
  readonly contact: ContactFacts | null
}

/** One check of the gate: returns a decision against the call, or null when it has no objection. */
export interface Check {
  readonly name: string
  readonly check: (facts: GateFacts) => GateResult | null
}
