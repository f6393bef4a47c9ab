import type { RetrySnapshot } from "./History.js"

/*
 * The retry rules of docs/campaigns.md, implemented independently of the engine.
 */

/** Outcome of a call, for the retry rules. */
export type CallOutcome =
  | "internal"
  | "provider_error"
  | "busy"
  | "no_answer"
  | "failed"
  /** It is unknown whether the contact was dialled. */
  | "unknown"
  /** The contact was not dialled because the number is blocked. */
  | "blocked"
  | { readonly seconds: number; readonly reschedule: number | null; readonly business: boolean }
  /** A conversation that a crash cut off, as far as it is known. */
  | { readonly cutAfter: number }

/** Retries so far, by counter. */
export interface RetryCounters {
  readonly main: number
  readonly provider: number
  readonly internal: number
}

/** Counters before the first retry. */
export const noRetries: RetryCounters = { main: 0, provider: 0, internal: 0 }

/** Expected next attempt: its reason, earliest time and counters. */
export interface ExpectedRetry {
  readonly status: string
  readonly due: number
  readonly used: RetryCounters
}

/** Computes the next attempt after an outcome; null when none follows. */
export const expectedAfter = (
  outcome: CallOutcome,
  policy: RetrySnapshot | null,
  used: RetryCounters,
  now: number
): ExpectedRetry | null => {
  const again = (status: string, counter: keyof RetryCounters, minutes: number): ExpectedRetry => ({
    status,
    due: now + minutes * 60_000,
    used: { ...used, [counter]: used[counter] + 1 }
  })
  const onMain = (status: string): ExpectedRetry | null => {
    if (policy === null || used.main >= policy.max) return null
    const { minutes } = policy
    return again(status, "main", typeof minutes === "number" ? minutes : minutes[used.main] ?? minutes.at(-1) ?? 0)
  }
  const onOwn = (status: string, counter: "internal" | "provider"): ExpectedRetry | null => {
    const rule = policy?.[counter]
    return rule?.enabled === true && used[counter] < rule.max ? again(status, counter, rule.minutes) : null
  }
  const short = (seconds: number) =>
    policy !== null && policy.short !== null && seconds < policy.short ? onMain("short_duration_retry") : null
  if (typeof outcome === "object") {
    if ("cutAfter" in outcome) return onOwn("internal_error_retry", "internal") ?? short(outcome.cutAfter)
    if (outcome.reschedule !== null) return { status: "reschedule", due: outcome.reschedule, used }
    if (outcome.business) return onMain("business_retry")
    return short(outcome.seconds)
  }
  switch (outcome) {
    case "unknown":
    case "blocked":
      return null
    case "internal":
      return onOwn("internal_error_retry", "internal")
    case "provider_error":
      return onOwn("provider_error_retry", "provider") ?? (policy?.failed === true ? onMain("retry") : null)
    case "busy":
      return policy?.busy === true ? onMain("retry") : null
    case "no_answer":
      return policy?.noAnswer === true ? onMain("retry") : null
    case "failed":
      return policy?.failed === true ? onMain("retry") : null
  }
}
