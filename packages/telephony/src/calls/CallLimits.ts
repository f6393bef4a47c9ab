import { Context, Duration } from "effect"

/** How long a call may ring, last and stand still. All of it is business time. */
export interface CallLimits {
  /** Default 40 s. */
  readonly ringTimeout: Duration.Duration
  /** Default 3600 s (shapes 11). */
  readonly maxDuration: Duration.Duration
  /**
   * How long a conversation may go on without anything being said or heard to its end, or a silence being noticed;
   * default 120 s. What takes longer to say than that may be said all the same.
   */
  readonly idleBudget: Duration.Duration
}

/** The limits of calls, changed by the embedder. */
export class CallLimitsOption extends Context.Reference<CallLimitsOption>()("@trunkline/telephony/CallLimits", {
  defaultValue: (): CallLimits => ({
    ringTimeout: Duration.seconds(40),
    maxDuration: Duration.seconds(3600),
    idleBudget: Duration.seconds(120)
  })
}) {}

/** What carriers and handlers may exceed their limits by before a call is ended for them, in business time. */
export const GRACE = Duration.seconds(30)
