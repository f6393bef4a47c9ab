import { Schema } from "effect"

/** Whether an attempt reached what it was for (specification, Attempt outcome values). */
export const CompletionStatus = Schema.Literal("completed", "partial", "failed")
export type CompletionStatus = typeof CompletionStatus.Type

/** How the line answered (specification, Attempt outcome values). Null, where allowed, is a fault of ours that hid it. */
export const ConnectivityStatus = Schema.Literal("connected", "busy", "no_answer", "failed")
export type ConnectivityStatus = typeof ConnectivityStatus.Type

/** What happens next for this person (specification, Attempt outcome values). Null, where allowed, is the end. */
export const NextActionStatus = Schema.Literal(
  "retry",
  "reschedule",
  "business_retry",
  "short_duration_retry",
  "provider_error_retry",
  "internal_error_retry"
)
export type NextActionStatus = typeof NextActionStatus.Type
