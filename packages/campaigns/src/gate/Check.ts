import type { Campaign } from "../campaign/Campaign.js"
import type { Decision, GateReason } from "./Decision.js"

/** How the lines of a campaign are for the next dial. */
export type LineFact =
  | { readonly _tag: "Free" }
  /** None of its connections is configured. */
  | { readonly _tag: "Missing" }
  /** Dialling on them is paused until a moment, since most calls failed. */
  | { readonly _tag: "Paused"; readonly until: number }
  /** All are in use. */
  | { readonly _tag: "Busy" }

/** What is known of a person who waits. */
export interface PersonFacts {
  readonly due_at: number
  /** Why they wait until then, as it was decided last. */
  readonly since: GateReason
  readonly stopped: boolean
  readonly blocked: boolean
  readonly onThePhone: boolean
  /** How often the workspace dialled the number since the day began in the campaign's zone. */
  readonly dialsToday: number
}

/** All that a decision rests on. Moments are epoch milliseconds of business time. */
export interface GateFacts {
  readonly now: number
  readonly campaign: Campaign
  /** Whether the agent's version is committed. */
  readonly agentCommitted: boolean
  readonly line: LineFact
  /** The earliest moment of the next dial by the rate. */
  readonly nextDialAt: number
  /** How often a workspace may dial a number in a day; infinity without a cap. */
  readonly dailyCap: number
  /** Null asks about the campaign as a whole. */
  readonly person: PersonFacts | null
}

/** One reason not to call: what it says where it holds, and null where it does not. */
export interface Check {
  readonly name: string
  readonly check: (facts: GateFacts) => Decision | null
}
