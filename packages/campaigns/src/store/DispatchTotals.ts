import type { OutcomeCounts } from "../contacts/AttemptOutcome.js"
import type { ContactCounts } from "../contacts/Contact.js"

/** Totals of a campaign. */
export interface DispatchTotals {
  readonly contacts: ContactCounts
  /** Ended attempts, each counted once. */
  readonly outcomes: OutcomeCounts
  /** Rows read from the roster, including numbers that were already enrolled. */
  readonly taken: number
}

/** Number of dials in the minute that begins at `minute`, epoch milliseconds. */
export interface DialMinute {
  readonly minute: number
  readonly dials: number
}
