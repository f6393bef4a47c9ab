import type { RetriesSeen } from "./History.js"

/*
 * The table of shapes 3.9, read once more from the page and not from the engine.
 */

/** What happened to somebody who was called. */
export type Fate =
  | "internal"
  | "provider_error"
  | "busy"
  | "no_answer"
  | "failed"
  /** Nobody can tell whether they were dialled. */
  | "unknown"
  /** They were not dialled, because they are not to be. */
  | "blocked"
  | { readonly seconds: number; readonly reschedule: number | null; readonly business: boolean }

/** How many retries of each counter there were before. */
export interface Used {
  readonly main: number
  readonly provider: number
  readonly internal: number
}

/** Nobody was called again yet. */
export const unused: Used = { main: 0, provider: 0, internal: 0 }

/** What comes next, not before when, and what is used up then. */
export interface Expected {
  readonly status: string
  readonly due: number
  readonly used: Used
}

/** What comes after this fate; null is nothing. */
export const expectedAfter = (
  fate: Fate,
  policy: RetriesSeen | null,
  used: Used,
  now: number
): Expected | null => {
  const again = (status: string, counter: keyof Used, minutes: number): Expected => ({
    status,
    due: now + minutes * 60_000,
    used: { ...used, [counter]: used[counter] + 1 }
  })
  const onMain = (status: string): Expected | null => {
    if (policy === null || used.main >= policy.max) return null
    const { minutes } = policy
    return again(status, "main", typeof minutes === "number" ? minutes : minutes[used.main] ?? minutes.at(-1) ?? 0)
  }
  const onOwn = (status: string, counter: "internal" | "provider"): Expected | null => {
    const rule = policy?.[counter]
    return rule?.enabled === true && used[counter] < rule.max ? again(status, counter, rule.minutes) : null
  }
  if (typeof fate === "object") {
    if (fate.reschedule !== null) return { status: "reschedule", due: fate.reschedule, used }
    if (fate.business) return onMain("business_retry")
    return policy !== null && policy.short !== null && fate.seconds < policy.short
      ? onMain("short_duration_retry")
      : null
  }
  switch (fate) {
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
