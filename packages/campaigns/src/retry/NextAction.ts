import type { NextActionStatus } from "@trunkline/kernel"
import { type CallOutcome, durationSeconds } from "@trunkline/telephony"
import { mainInterval, type RetryConfig, type RetryCounters } from "./RetryPolicy.js"

/** What a policy makes of an outcome: the next attempt, when it is due, and the counters it leaves. */
export interface NextAction {
  readonly status: NextActionStatus
  /** Epoch milliseconds of business time, not yet moved into the campaign's window. */
  readonly due: number
  readonly counters: RetryCounters
}

/** What the decision looks at. `policy` null means no retries; a promised call back is kept all the same. */
export interface Situation {
  readonly outcome: CallOutcome
  readonly policy: RetryConfig | null
  readonly counters: RetryCounters
  /** Epoch milliseconds of business time. */
  readonly now: number
}

/**
 * The decision table of shapes 3.9: rows in order, the first that applies wins, null is the end for this person. A
 * dial whose outcome is unknown is never repeated (decisions 10).
 */
export const nextAction = (situation: Situation): NextAction | null => {
  for (const row of rows) {
    const action = row(situation)
    if (action !== null) return action
  }
  return null
}

/** Whether the policy takes a talk for too short to count, however many retries are left. */
export const isTooShort = ({ outcome, policy }: Pick<Situation, "outcome" | "policy">): boolean => {
  const rule = policy?.retry_on.short_duration
  return outcome._tag === "Connected" && conversation(outcome) !== null && rule !== undefined && rule.enabled &&
    durationSeconds(outcome) < rule.threshold_seconds
}

type Row = (situation: Situation) => NextAction | null

const minutes = (count: number) => count * 60_000

/** Row 1: a fault of ours, before or during the call. */
const internalError: Row = ({ counters, now, outcome, policy }) => {
  const faulty = outcome._tag === "NotConnected" ? outcome.situation === "internal" : outcome.report.fault !== null
  const rule = policy?.retry_on.internal_error
  return faulty && rule !== undefined && rule.enabled && counters.internal < rule.max_retries
    ? {
      status: "internal_error_retry",
      due: now + minutes(rule.retry_interval_minutes),
      counters: { ...counters, internal: counters.internal + 1 }
    }
    : null
}

/** Row 2: the provider refused or errored. */
const providerError: Row = ({ counters, now, outcome, policy }) => {
  const rule = policy?.retry_on.provider_error
  return situationOf(outcome) === "provider_error" && rule !== undefined && rule.enabled &&
      counters.provider < rule.max_retries
    ? {
      status: "provider_error_retry",
      due: now + minutes(rule.retry_interval_minutes),
      counters: { ...counters, provider: counters.provider + 1 }
    }
    : null
}

/** Row 3: busy, no answer or failed; a provider error that has no retries left counts as failed. */
const notReached: Row = (situation) => {
  const { policy } = situation
  if (policy === null) return null
  switch (situationOf(situation.outcome)) {
    case "busy":
      return policy.retry_on.busy.enabled ? main(situation, "retry") : null
    case "no_answer":
      return policy.retry_on.no_answer.enabled ? main(situation, "retry") : null
    case "failed":
    case "provider_error":
      return policy.retry_on.failed.enabled ? main(situation, "retry") : null
    default:
      return null
  }
}

/** Row 4: the agent promised to call back at a time. */
const reschedule: Row = ({ counters, outcome }) => {
  const due = conversation(outcome)?.reschedule_at ?? null
  return due === null ? null : { status: "reschedule", due, counters }
}

/** Row 5: the agent asked for another try. */
const businessRetry: Row = (situation) =>
  conversation(situation.outcome)?.business_retry === true ? main(situation, "business_retry") : null

/** Row 6: the talk was too short to count. */
const shortDuration: Row = (situation) => isTooShort(situation) ? main(situation, "short_duration_retry") : null

/** Rows 7 and 8, the end, are what remains. */
const rows: ReadonlyArray<Row> = [internalError, providerError, notReached, reschedule, businessRetry, shortDuration]

const situationOf = (outcome: CallOutcome) => outcome._tag === "NotConnected" ? outcome.situation : null

/** The report of a call that counts as connected. */
const conversation = (outcome: CallOutcome) =>
  outcome._tag === "Connected" && outcome.report.fault === null ? outcome.report : null

const main = ({ counters, now, policy }: Situation, status: NextActionStatus): NextAction | null =>
  policy !== null && counters.main < policy.max_retries
    ? { status, due: now + mainInterval(policy, counters.main), counters: { ...counters, main: counters.main + 1 } }
    : null
