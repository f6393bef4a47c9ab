/** The questions that a fault can strike. */
export type Route = "create" | "call" | "list" | "hang-up" | "say" | "listen"

/** What goes wrong with one answer. What happens `before` leaves the question without effect. */
export type Fault =
  | { readonly kind: "status"; readonly when: "before" | "after"; readonly status: number; readonly body?: unknown }
  /** The connection is cut without an answer. */
  | { readonly kind: "cut"; readonly when: "before" | "after" }
  /** No answer ever comes. */
  | { readonly kind: "hang"; readonly when: "before" | "after" }
  /** The answer comes late. */
  | { readonly kind: "late"; readonly when: "before" | "after"; readonly millis: number }
  /** The answer is no JSON. */
  | { readonly kind: "garbage"; readonly when: "after" }
  /** The answer does not end. */
  | { readonly kind: "endless"; readonly when: "after" }

/** How likely requests for calls go wrong, each from 0 to 1. */
export interface FaultRates {
  readonly cutBefore?: number
  readonly cutAfter?: number
  readonly failAfter?: number
  readonly tooMany?: number
  /** Every request for a call waits for up to so long after it was dialled, in ms. */
  readonly lateMillis?: number
}

/** Numbers from 0 to 1 that follow from a seed (Mulberry32). */
export const randomFrom = (seed: number): () => number => {
  let state = seed
  return () => {
    state = state + 0x6d2b79f5 | 0
    let mixed = Math.imul(state ^ state >>> 15, state | 1)
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61)
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32
  }
}

/** The fault, if any, that strikes a request for a call by chance. */
export const faultByChance = (rates: FaultRates, random: () => number): Fault | undefined => {
  const { cutAfter = 0, cutBefore = 0, failAfter = 0, lateMillis = 0, tooMany = 0 } = rates
  const faults: ReadonlyArray<readonly [number, Fault]> = [
    [cutBefore, { kind: "cut", when: "before" }],
    [cutAfter, { kind: "cut", when: "after" }],
    [failAfter, { kind: "status", when: "after", status: 500 }],
    [tooMany, { kind: "status", when: "before", status: 429 }]
  ]
  let chance = random()
  for (const [rate, fault] of faults) {
    if (chance < rate) return fault
    chance -= rate
  }
  return lateMillis > 0 ? { kind: "late", when: "after", millis: random() * lateMillis } : undefined
}
