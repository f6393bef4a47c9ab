import { type EffectTransform, FaultPoints } from "@trunkline/kernel"
import { Effect, Layer } from "effect"

/** Point at which the engine may crash: after a fault point, a write or a commit. */
export interface Passage {
  readonly name: string
  /** Number of times that the current process passed this point, from 1. */
  readonly nth: number
  /** Number of points that the current process passed. */
  readonly total: number
}

/** Counts the crash points that the engine passes, and crashes it at some. */
export class Crashes {
  readonly #passed = new Map<string, number>()
  readonly #inLife = new Map<string, number>()
  #total = 0

  constructor(
    /** Decides whether the engine crashes at a point. */
    readonly crashesAt: (passage: Passage) => boolean,
    /** Crashes the engine. */
    readonly crash: (where: string) => void
  ) {}

  /** Passes of each point, in all processes. */
  get passed(): ReadonlyMap<string, number> {
    return this.#passed
  }

  /** Number of points that the current process passed. */
  get total(): number {
    return this.#total
  }

  /** Starts counting for the next process. */
  begin(): void {
    this.#inLife.clear()
    this.#total = 0
  }

  /** Passes a point. If the engine crashes there, the effect never completes. */
  pass(name: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      const nth = (this.#inLife.get(name) ?? 0) + 1
      this.#inLife.set(name, nth)
      this.#passed.set(name, (this.#passed.get(name) ?? 0) + 1)
      this.#total += 1
      if (!this.crashesAt({ name, nth, total: this.#total })) return Effect.void
      this.crash(`${name} ${nth}`)
      return Effect.never
    })
  }

  /** Passes a point after an effect. */
  after(name: string): EffectTransform {
    return Effect.tap(this.pass(name))
  }

  /** The fault points of the engine. */
  get points(): Layer.Layer<never> {
    return Layer.succeed(FaultPoints, { after: (name) => this.after(name) })
  }
}
