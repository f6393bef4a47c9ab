import type { Duration } from "effect"
import { DialFailed } from "../carriers/Carrier.js"

/** What goes wrong between us and the simulated provider while it is asked to dial. */
export type DialFault =
  /** It takes the call, and its answer never comes. */
  | { readonly _tag: "Lost" }
  /** It takes the call, and answers with an error that says nothing. */
  | { readonly _tag: "FailedAfter" }
  /** It does not take the call, and answers with an error that says nothing. */
  | { readonly _tag: "FailedBefore" }
  /** It does not take the call, and says so. */
  | { readonly _tag: "Refused" }
  /** It answers with an error that says nothing, and takes the call so much later (business time). */
  | { readonly _tag: "Late"; readonly after: Duration.Duration }

/** An error from which nobody can tell whether the call was taken. */
export const serverError = new DialFailed({ certainty: "unknown", reason: "simulator: server error" })

/** The provider did not take the call. */
export const tooManyRequests = new DialFailed({ certainty: "provider", reason: "simulator: too many requests" })
