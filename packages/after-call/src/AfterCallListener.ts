import type { AfterCallResult } from "@trunkline/kernel"
import type { Attempt, AttemptResult } from "@trunkline/telephony"
import { Context, type Effect } from "effect"

/** The work on a call that has come to its end. */
export interface FinishedAfterCall {
  readonly attempt: Attempt
  readonly result: AttemptResult
  /** True to send a second webhook where the first one went without the results. */
  readonly sendAgain: boolean
  /** Findings, or the reason for having none. `extraction.usage` has the tokens of all tries. */
  readonly after: AfterCallResult
}

/** Listener for the results of the work on ended calls. */
export class AfterCallListener extends Context.Tag("@trunkline/after-call/AfterCallListener")<AfterCallListener, {
  /** Runs once for a call, in the transaction that ends its work: its writes commit with the end of the job, or not at all. */
  readonly finished: (finishedAfterCall: FinishedAfterCall) => Effect.Effect<void>
  /** Runs after that transaction has committed, to wake the workers that process what was stored. */
  readonly committed: (finishedAfterCall: FinishedAfterCall) => Effect.Effect<void>
}>() {}
