import type { SeededRandom } from "./SeededRandom.js"

/** Reliability of the environment in a run. Shares are from 0 to 1, durations in seconds. */
export interface Conditions {
  readonly dedupe: "key" | "lookup" | "none"
  /** Lifetime of idempotency keys. */
  readonly keyTtl: number
  /** True when calls with a key can also be looked up by attempt. */
  readonly keyWithLookup: boolean
  /** Time after which every accepted call can be looked up; at least 30. */
  readonly settle: number
  /** True when the provider pushes events of calls. */
  readonly pushes: boolean
  /** Outcomes of dial requests. */
  readonly dials: Readonly<Record<DialOutcome, number>>
  /** Outcomes of pushed events. */
  readonly events: Readonly<Record<EventOutcome, number>>
  /** True when the provider lists calls in progress. */
  readonly lists: boolean
  /** Share of failing lookups. */
  readonly lookupFails: number
  /** Outcomes of ringing. */
  readonly callees: Readonly<Record<CalleeOutcome, number>>
  /** Outcomes of webhook requests. */
  readonly receiver: Readonly<Record<ReceiverOutcome, number>>
}

/**
 * `errorAccepted`: the provider fails after it has accepted the call. `errorLost`: it fails before. `lostAccepted`: it accepts
 * the call, and the response is lost. `lost`: the request is lost. `late`: it accepts the call after the timeout.
 */
export type DialOutcome = "accepted" | "rejected" | "errorAccepted" | "errorLost" | "lostAccepted" | "lost" | "late"
export type EventOutcome = "now" | "late" | "twice" | "never"
export type CalleeOutcome = "answers" | "busy" | "noAnswer" | "failed"
/** `slow`: the response exceeds the timeout. `lost`: the receiver accepts the webhook, and the response is lost. */
export type ReceiverOutcome = "takes" | "fails" | "refuses" | "slow" | "lost"

const calmDials = { accepted: 1, rejected: 0, errorAccepted: 0, errorLost: 0, lostAccepted: 0, lost: 0, late: 0 }
const roughDials = {
  accepted: 0.5,
  rejected: 0.1,
  errorAccepted: 0.06,
  errorLost: 0.04,
  lostAccepted: 0.12,
  lost: 0.08,
  late: 0.1
}
const calmEvents = { now: 1, late: 0, twice: 0, never: 0 }
const roughEvents = { now: 0.5, late: 0.2, twice: 0.15, never: 0.15 }
const calmReceiver = { takes: 1, fails: 0, refuses: 0, slow: 0, lost: 0 }
const roughReceiver = { takes: 0.6, fails: 0.15, refuses: 0.1, slow: 0.05, lost: 0.1 }

/** Random conditions of a run. */
export const randomConditions = (random: SeededRandom): Conditions => ({
  dedupe: random.pick(["key", "lookup", "none"]),
  keyTtl: random.pick([60, 300, 86_400]),
  keyWithLookup: random.chance(0.5),
  settle: random.pick([30, 60]),
  pushes: random.chance(0.5),
  dials: random.chance(0.6) ? roughDials : calmDials,
  events: random.chance(0.6) ? roughEvents : calmEvents,
  lists: random.chance(0.25),
  lookupFails: random.pick([0, 0.3]),
  callees: { answers: random.between(20, 60), busy: 20, noAnswer: 20, failed: 8 },
  receiver: random.chance(0.5) ? roughReceiver : calmReceiver
})

/** Conditions without failures. */
export const reliableConditions = (dedupe: Conditions["dedupe"]): Conditions => ({
  dedupe,
  keyTtl: 86_400,
  keyWithLookup: false,
  settle: 60,
  pushes: false,
  dials: calmDials,
  events: calmEvents,
  lists: true,
  lookupFails: 0,
  callees: { answers: 40, busy: 30, noAnswer: 20, failed: 10 },
  receiver: calmReceiver
})

/** Picks an outcome by its share. */
export const pickOutcome = <A extends string>(
  random: SeededRandom,
  shares: Readonly<Record<A, number>>,
  first: A
): A => {
  let chosen = first
  let remaining = random.between(0, 999_999) / 1_000_000 * sumOf(shares)
  for (const outcome in shares) {
    if (remaining < shares[outcome]) return outcome
    remaining -= shares[outcome]
    chosen = outcome
  }
  return chosen
}

const sumOf = <A extends string>(shares: Readonly<Record<A, number>>): number => {
  let sum = 0
  for (const outcome in shares) sum += shares[outcome]
  return sum
}
