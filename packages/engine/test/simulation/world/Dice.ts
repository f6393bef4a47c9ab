import { Utils } from "effect"

/** Chance that repeats: the same seed and purpose give the same throws, whatever else is thrown. */
export class Dice {
  readonly #random: Utils.PCGRandom

  constructor(seed: number, purpose: string) {
    const mixed = [...purpose].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5)
    this.#random = new Utils.PCGRandom(seed, mixed)
  }

  /** True this often, 0 to 1. */
  often(share: number): boolean {
    return this.#random.number() < share
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.#random.integer(high - low + 1)
  }

  /** One of these. */
  of<A>(choices: readonly [A, ...ReadonlyArray<A>]): A {
    return choices[this.#random.integer(choices.length)] ?? choices[0]
  }

  /** One of these, by their weights, of which one at least is not 0. */
  weighted<A>(choices: readonly [readonly [A, number], ...ReadonlyArray<readonly [A, number]>]): A {
    let left = this.#random.number() * choices.reduce((sum, [, weight]) => sum + weight, 0)
    const [choice] = choices.find(([, weight]) => (left -= weight) < 0) ?? choices[0]
    return choice
  }
}
