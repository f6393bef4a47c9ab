import type { CompletionStatus, ConnectivityStatus, InteractionId, NextActionStatus } from "@trunkline/kernel"
import type { Effect } from "effect"
import type { Interaction } from "../attempts/Attempt.js"
import type { CallReport } from "./CallHandler.js"

/** A call that did not connect, or of which nothing is known. */
export interface NotConnected {
  readonly _tag: "NotConnected"
  /**
   * `internal`: a fault of ours; `provider_error`: the provider refused or errored; `unknown`: it may have been
   * dialled and nobody can tell; `blocked`: the workspace never calls this number (shapes 13).
   */
  readonly situation: "internal" | "provider_error" | "busy" | "no_answer" | "failed" | "unknown" | "blocked"
  readonly reason: string | null
}

/** A call in which somebody picked up and the conversation came to an end. */
export interface Connected {
  readonly _tag: "Connected"
  readonly interaction_id: InteractionId
  /** Epoch milliseconds, business time. */
  readonly started_at: number
  readonly ended_at: number
  readonly report: CallReport
}

/** What came of one call. */
export type CallOutcome = NotConnected | Connected

/** A call that came to nothing. */
export const notConnected = (situation: NotConnected["situation"], reason: string | null): NotConnected => ({
  _tag: "NotConnected",
  situation,
  reason
})

/** How long the two sides talked, in seconds; 0 where the clocks were set back meanwhile. */
export const durationSeconds = (call: { readonly started_at: number; readonly ended_at: number }): number =>
  Math.max(0, Math.round(call.ended_at - call.started_at)) / 1000

const connectivityOf: Record<NotConnected["situation"], ConnectivityStatus | null> = {
  internal: null,
  unknown: null,
  blocked: null,
  provider_error: "failed",
  busy: "busy",
  no_answer: "no_answer",
  failed: "failed"
}

/** The outcome in the words of the API (shapes 3.9, decisions 10 and 11). */
export interface OutcomeSummary {
  readonly completion_status: CompletionStatus
  readonly connectivity_status: ConnectivityStatus | null
  readonly failure_reason: string | null
  /** The conversation, when there was one that counts. */
  readonly interaction: Interaction | null
}

/**
 * Puts an outcome into the words of the API. A fault of ours during the call counts as not connected (shapes 3.9 row 1);
 * a call that is repeated because it was too short was not completed, whatever the agent thinks (row 6).
 */
export const verdict = (outcome: CallOutcome, next: NextActionStatus | null): OutcomeSummary => {
  if (outcome._tag === "NotConnected") {
    return {
      completion_status: "failed",
      connectivity_status: connectivityOf[outcome.situation],
      failure_reason: outcome.reason,
      interaction: null
    }
  }
  const { report } = outcome
  if (report.fault !== null) {
    return { completion_status: "failed", connectivity_status: null, failure_reason: report.fault, interaction: null }
  }
  return {
    completion_status: report.agent_done && next !== "short_duration_retry" ? "completed" : "partial",
    connectivity_status: "connected",
    failure_reason: null,
    interaction: {
      interaction_id: outcome.interaction_id,
      started_at: outcome.started_at,
      ended_at: outcome.ended_at,
      ended_by: report.ended_by,
      language_name: report.language_name,
      transcript: report.transcript,
      final_agent_variables: report.final_agent_variables,
      output_agent_variables: report.output_agent_variables,
      average_agent_response_seconds: report.average_agent_response_seconds,
      average_user_response_seconds: report.average_user_response_seconds
    }
  }
}

/** What came of placing a call. */
export type Placement =
  | CallOutcome
  /** It was certainly not dialled, and is not to be any more now: the attempt can be taken back. */
  | { readonly _tag: "Withdrawn" }
  /** It was not dialled: the work belongs to another process now, which settles the attempt. Nothing is left to be done here. */
  | { readonly _tag: "Disowned" }

/** When a call may be dialled. */
export interface PlaceOptions {
  /** From this moment on it may not, epoch milliseconds of business time; null (default): always. */
  readonly deadline?: number | null
  /**
   * Asked before a dial that was not answered is placed again, which may be minutes later: whether it may still be
   * dialled, were it placed for the first time. By default it may.
   */
  readonly mayDial?: Effect.Effect<boolean>
}

/** What became of an attempt that was under way when its process stopped. */
export type Recovered =
  /** It was certainly never dialled, and can be. */
  | { readonly _tag: "Redial" }
  /** It is over. */
  | { readonly _tag: "Ended"; readonly outcome: CallOutcome }
  /** Its call goes on; the effect carries it to its end, and must be run. */
  | { readonly _tag: "GoesOn"; readonly outcome: Effect.Effect<CallOutcome> }
  /** The work belongs to another process now. */
  | { readonly _tag: "Disowned" }

/** What recovering an attempt needs to know. */
export interface RecoverOptions {
  /** Whether it may be dialled now, were it placed for the first time: the window, the campaign's status, who is blocked. */
  readonly mayDial: Effect.Effect<boolean>
}
