import { Utils } from "effect"

/** Deterministic random numbers: the same seed and purpose give the same sequence, independent of other purposes. */
export class SeededRandom {
  readonly #random: Utils.PCGRandom

  constructor(seed: number, purpose: string) {
    const mixed = [...purpose].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5)
    this.#random = new Utils.PCGRandom(seed, mixed)
  }

  /** True with a probability from 0 to 1. */
  chance(probability: number): boolean {
    return this.#random.number() < probability
  }

  /** Integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + this.#random.integer(high - low + 1)
  }

  /** Picks one of the choices. */
  pick<A>(choices: readonly [A, ...ReadonlyArray<A>]): A {
    return choices[this.#random.integer(choices.length)] ?? choices[0]
  }

  /** Picks one of the choices by weight. At least one weight must be positive. */
  weighted<A>(choices: readonly [readonly [A, number], ...ReadonlyArray<readonly [A, number]>]): A {
    let remaining = this.#random.number() * choices.reduce((sum, [, weight]) => sum + weight, 0)
    const [choice] = choices.find(([, weight]) => (remaining -= weight) < 0) ?? choices[0]
    return choice
  }
}
