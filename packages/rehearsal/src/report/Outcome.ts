import { Schema } from "effect"

/**
 * What came of a dial: a person or a voicemail picked up; the line was busy; nobody answered; the network could not
 * connect; the number is not in service; the provider refused; or it was not dialled at all.
 */
export const RehearsedOutcome = Schema.Literal(
  "answered",
  "voicemail",
  "busy",
  "no_answer",
  "failed",
  "invalid_number",
  "provider_error",
  "not_dialled"
)
export type RehearsedOutcome = typeof RehearsedOutcome.Type

/** All outcomes, in the order in which reports list them. */
export const outcomes = RehearsedOutcome.literals
