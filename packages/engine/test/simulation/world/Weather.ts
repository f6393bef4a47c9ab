import type { Dice } from "./Dice.js"

/** How reliable the outside world is in a run: shares from 0 to 1, and spans in seconds. */
export interface Weather {
  readonly dedupe: "key" | "lookup" | "none"
  /** How long a key is remembered. */
  readonly keyTtl: number
  /** Whether calls can also be found by their attempts where there is a key. */
  readonly keyWithLookup: boolean
  /** After how long all calls that were taken can be found; 30 at least. */
  readonly settle: number
  /** Whether the provider pushes what becomes of a call, rather than that somebody asks. */
  readonly pushes: boolean
  /** What becomes of a request to dial. */
  readonly dials: Readonly<Record<DialFate, number>>
  /** What becomes of a pushed event. */
  readonly events: Readonly<Record<EventFate, number>>
  /** Whether the provider lists the calls that go on. */
  readonly lists: boolean
  /** How often the provider cannot be asked what became of a call. */
  readonly lookupFails: number
  /** What the person at the other end does. */
  readonly people: Readonly<Record<PersonFate, number>>
  /** What a webhook receiver does. */
  readonly receiver: Readonly<Record<ReceiverFate, number>>
}

/**
 * `brokenTaken`: it fails after it has taken the call. `brokenLost`: it fails before. `lostTaken`: it takes the call, and
 * its answer is lost. `lost`: the request never arrives. `late`: it takes the call after we have stopped waiting.
 */
export type DialFate = "taken" | "refused" | "brokenTaken" | "brokenLost" | "lostTaken" | "lost" | "late"
export type EventFate = "now" | "late" | "twice" | "never"
export type PersonFate = "answers" | "busy" | "noAnswer" | "failed"
/** `slow`: it takes longer than anybody waits. `lost`: it takes the webhook, and its answer is lost. */
export type ReceiverFate = "takes" | "fails" | "refuses" | "slow" | "lost"

const calmDials = { taken: 1, refused: 0, brokenTaken: 0, brokenLost: 0, lostTaken: 0, lost: 0, late: 0 }
const roughDials = {
  taken: 0.5,
  refused: 0.1,
  brokenTaken: 0.06,
  brokenLost: 0.04,
  lostTaken: 0.12,
  lost: 0.08,
  late: 0.1
}
const calmEvents = { now: 1, late: 0, twice: 0, never: 0 }
const roughEvents = { now: 0.5, late: 0.2, twice: 0.15, never: 0.15 }
const calmReceiver = { takes: 1, fails: 0, refuses: 0, slow: 0, lost: 0 }
const roughReceiver = { takes: 0.6, fails: 0.15, refuses: 0.1, slow: 0.05, lost: 0.1 }

/** The weather of a run. */
export const weatherOf = (dice: Dice): Weather => ({
  dedupe: dice.of(["key", "lookup", "none"]),
  keyTtl: dice.of([60, 300, 86_400]),
  keyWithLookup: dice.often(0.5),
  settle: dice.of([30, 60]),
  pushes: dice.often(0.5),
  dials: dice.often(0.6) ? roughDials : calmDials,
  events: dice.often(0.6) ? roughEvents : calmEvents,
  lists: dice.often(0.25),
  lookupFails: dice.of([0, 0.3]),
  people: { answers: dice.between(20, 60), busy: 20, noAnswer: 20, failed: 8 },
  receiver: dice.often(0.5) ? roughReceiver : calmReceiver
})

/** A run in which nothing goes wrong by itself. */
export const fairWeather = (dedupe: Weather["dedupe"]): Weather => ({
  dedupe,
  keyTtl: 86_400,
  keyWithLookup: false,
  settle: 60,
  pushes: false,
  dials: calmDials,
  events: calmEvents,
  lists: true,
  lookupFails: 0,
  people: { answers: 40, busy: 30, noAnswer: 20, failed: 10 },
  receiver: calmReceiver
})

/** One of the fates, by their shares. */
export const fateOf = <A extends string>(dice: Dice, shares: Readonly<Record<A, number>>, first: A): A => {
  let chosen = first
  let left = dice.between(0, 999_999) / 1_000_000 * sumOf(shares)
  for (const fate in shares) {
    if (left < shares[fate]) return fate
    left -= shares[fate]
    chosen = fate
  }
  return chosen
}

const sumOf = <A extends string>(shares: Readonly<Record<A, number>>): number => {
  let sum = 0
  for (const fate in shares) sum += shares[fate]
  return sum
}
