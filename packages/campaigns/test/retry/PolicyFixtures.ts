import { InteractionId } from "@trunkline/kernel"
import { type CallOutcome, type CallReport, notConnected } from "@trunkline/telephony"
import type { RetryCounters } from "../../src/index.js"

export const now = Date.parse("2026-06-15T06:00:00Z")

export const minute = 60_000

export const talked = (seconds: number, report: Partial<CallReport>): CallOutcome => ({
  _tag: "Connected",
  interaction_id: InteractionId.make("20260615-x"),
  started_at: now - seconds * 1000,
  ended_at: now,
  report: {
    agent_done: false,
    ended_by: "user",
    language_name: null,
    transcript: [],
    final_agent_variables: {},
    output_agent_variables: {},
    average_agent_response_seconds: null,
    average_user_response_seconds: null,
    business_retry: false,
    reschedule_at: null,
    fault: null,
    ...report
  }
})

/** Counters at zero, one below the limit, and at the limit. */
export const counters: ReadonlyArray<RetryCounters> = [0, 1, 2].flatMap((main) =>
  [0, 2, 3].flatMap((provider) => [0, 3, 4].map((internal) => ({ main, provider, internal })))
)

export const busy = notConnected("busy", null)
