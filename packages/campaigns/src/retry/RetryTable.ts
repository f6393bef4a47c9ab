import type { NextActionStatus } from "@trunkline/kernel"
import { type CallOutcome, durationSeconds, isNobody } from "@trunkline/telephony"
import {
  retryBudgets,
  type RetryConfig,
  type RetryCounter,
  type RetryCounters,
  retryDelay
} from "../campaign/RetryPolicy.js"

/** The next attempt that a retry policy asks for. */
export interface NextAction {
  readonly status: NextActionStatus
  /** Epoch milliseconds of business time, before it is moved into the campaign's window. */
  readonly due: number
  readonly counters: RetryCounters
}

/** Everything that the next action depends on. A null `policy` means no retries, except for promised callbacks. */
export interface RetryFacts {
  readonly outcome: CallOutcome
  readonly policy: RetryConfig | null
  readonly counters: RetryCounters
  /** Epoch milliseconds of business time. */
  readonly now: number
}

/** One row of the retry table. */
interface RetryRow {
  readonly status: NextActionStatus
  readonly applies: (outcome: CallOutcome, policy: RetryConfig) => boolean
  /** The counter that the retry is charged to. */
  readonly counter: RetryCounter
}

/** A row for an attempt that is made without a policy too and charged to no counter, such as a promised callback. */
interface FreeRow {
  readonly status: NextActionStatus
  readonly dueAt: (outcome: CallOutcome, now: number) => number | null
}

const situationOf = (outcome: CallOutcome) => outcome._tag === "NotConnected" ? outcome.situation : null

/** The report of a call that counts as connected. */
const conversationOf = (outcome: CallOutcome) =>
  outcome._tag === "Connected" && outcome.report.fault === null ? outcome.report : null

/** Returns true for a call that something other than a person answered, and in which the agent did not go on. */
export const isAnsweredByNobody = (outcome: CallOutcome): boolean => {
  const answer = conversationOf(outcome)?.answer
  return answer !== undefined && isNobody(answer)
}

/** Returns true for a message that was left on a machine. */
const hasLeftMessage = (outcome: CallOutcome): boolean => conversationOf(outcome)?.answer?.action === "message_left"

/** Returns true for a conversation that is shorter than the policy's threshold, even when no retries are left. */
export const isTooShort = (outcome: CallOutcome, policy: RetryConfig | null): boolean => {
  const rule = policy?.retry_on.short_duration
  return outcome._tag === "Connected" && conversationOf(outcome) !== null && !isAnsweredByNobody(outcome) &&
    rule !== undefined && rule.enabled && durationSeconds(outcome) < rule.threshold_seconds
}

/**
 * The retry table. The first row that applies and whose counter has retries left decides; without one the contact is
 * finished. A dial with an unknown outcome has no row, because it is never repeated.
 */
const rows: ReadonlyArray<RetryRow | FreeRow> = [
  // This side stopped ringing, as when the campaign was paused.
  {
    status: "retry",
    dueAt: (outcome, now) => outcome._tag === "NotConnected" && outcome.calledOff === true ? now : null
  },
  // An internal error, before or during the call, and a conversation that was cut off because this side stopped.
  {
    status: "internal_error_retry",
    applies: (outcome, { retry_on }) =>
      retry_on.internal_error.enabled &&
      (outcome._tag === "NotConnected"
        ? outcome.situation === "internal"
        : outcome.report.fault !== null || outcome.cut !== undefined),
    counter: "internal"
  },
  // The provider rejected the call or failed.
  {
    status: "provider_error_retry",
    applies: (outcome, { retry_on }) => retry_on.provider_error.enabled && situationOf(outcome) === "provider_error",
    counter: "provider"
  },
  {
    status: "retry",
    applies: (outcome, { retry_on }) => retry_on.busy.enabled && situationOf(outcome) === "busy",
    counter: "main"
  },
  {
    status: "retry",
    applies: (outcome, { retry_on }) => retry_on.no_answer.enabled && situationOf(outcome) === "no_answer",
    counter: "main"
  },
  // The call failed; a provider error without retries left counts as failed.
  {
    status: "retry",
    applies: (outcome, { retry_on }) =>
      retry_on.failed.enabled && ["failed", "provider_error"].includes(situationOf(outcome) ?? ""),
    counter: "main"
  },
  // A machine, a service or a fax answered.
  {
    status: "retry",
    applies: (outcome, { retry_on }) => retry_on.machine.enabled && isAnsweredByNobody(outcome),
    counter: "main"
  },
  // The agent promised a callback.
  { status: "reschedule", dueAt: (outcome) => conversationOf(outcome)?.reschedule_at ?? null },
  // The agent asked for another try.
  {
    status: "business_retry",
    applies: (outcome) => conversationOf(outcome)?.business_retry === true,
    counter: "main"
  },
  // The conversation was too short to count.
  { status: "short_duration_retry", applies: isTooShort, counter: "main" }
]

/** The next action after an ended attempt; null when the contact is finished. */
export const nextAction = ({ counters, now, outcome, policy }: RetryFacts): NextAction | null => {
  for (const row of rows) {
    if ("dueAt" in row) {
      const due = row.dueAt(outcome, now)
      if (due !== null) return { status: row.status, due, counters }
    } else if (policy !== null && row.applies(outcome, policy)) {
      const budget = retryBudgets[row.counter](policy)
      const retries = counters[row.counter]
      if (retries < budget.max_retries) {
        return {
          status: row.status,
          due: now + retryDelay(budget, retries),
          counters: {
            ...counters,
            [row.counter]: retries + 1,
            ...(hasLeftMessage(outcome) && { messages: (counters.messages ?? 0) + 1 })
          }
        }
      }
    }
  }
  return null
}
