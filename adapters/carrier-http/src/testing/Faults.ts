/** Routes that faults can be injected into. */
export type Route = "create" | "call" | "list" | "answer" | "hang-up" | "say" | "listen"

/** A fault of one response. With `before`, the request has no effect. */
export type Fault =
  | { readonly kind: "status"; readonly when: "before" | "after"; readonly status: number; readonly body?: unknown }
  /** Closes the connection without a response. */
  | { readonly kind: "cut"; readonly when: "before" | "after" }
  /** Never responds. */
  | { readonly kind: "hang"; readonly when: "before" | "after" }
  /** Responds late. */
  | { readonly kind: "late"; readonly when: "before" | "after"; readonly millis: number }
  /** Responds with something other than JSON. */
  | { readonly kind: "garbage"; readonly when: "after" }
  /** Responds without end. */
  | { readonly kind: "endless"; readonly when: "after" }

/** Probabilities of faults of create requests, each from 0 to 1. */
export interface FaultRates {
  readonly cutBefore?: number
  readonly cutAfter?: number
  readonly failAfter?: number
  readonly tooMany?: number
  /** Maximum delay of the response after dialling, in milliseconds. */
  readonly lateMillis?: number
}

/** Seeded random numbers in [0, 1) (Mulberry32). */
export const randomFrom = (seed: number): () => number => {
  let state = seed
  return () => {
    state = state + 0x6d2b79f5 | 0
    let bits = Math.imul(state ^ state >>> 15, state | 1)
    bits ^= bits + Math.imul(bits ^ bits >>> 7, bits | 61)
    return ((bits ^ bits >>> 14) >>> 0) / 2 ** 32
  }
}

/** Draws a fault for a create request. */
export const randomFault = (rates: FaultRates, random: () => number): Fault | undefined => {
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
