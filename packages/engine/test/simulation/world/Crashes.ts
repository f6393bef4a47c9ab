import { type Around, FaultPoints } from "@trunkline/kernel"
import { Effect, Layer } from "effect"

/** A moment at which the engine may die: a fault point, a write or a commit that is just behind it. */
export interface Passage {
  readonly name: string
  /** How often this one was passed in the present life, from 1. */
  readonly nth: number
  /** How many were passed in the present life. */
  readonly total: number
}

/** Counts the moments at which the engine may die, and lets it die at some. */
export class Crashes {
  readonly #passed = new Map<string, number>()
  readonly #inLife = new Map<string, number>()
  #total = 0

  constructor(
    /** Whether it dies here. */
    readonly diesAt: (passage: Passage) => boolean,
    /** Lets it die. */
    readonly die: (where: string) => void
  ) {}

  /** How often each was passed, in all lives. */
  get passed(): ReadonlyMap<string, number> {
    return this.#passed
  }

  /** How many were passed in the present life. */
  get total(): number {
    return this.#total
  }

  /** Another life begins. */
  begin(): void {
    this.#inLife.clear()
    this.#total = 0
  }

  /** A moment that may be the last: whoever dies here does not go on. */
  pass(name: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      const nth = (this.#inLife.get(name) ?? 0) + 1
      this.#inLife.set(name, nth)
      this.#passed.set(name, (this.#passed.get(name) ?? 0) + 1)
      this.#total += 1
      if (!this.diesAt({ name, nth, total: this.#total })) return Effect.void
      this.die(`${name} ${nth}`)
      return Effect.never
    })
  }

  /** After an effect. */
  after(name: string): Around {
    return Effect.tap(this.pass(name))
  }

  /** The engine's own fault points. */
  get points(): Layer.Layer<never> {
    return Layer.succeed(FaultPoints, { after: (name) => this.after(name) })
  }
}
