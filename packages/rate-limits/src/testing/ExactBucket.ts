/** An exact rate: units per microseconds. */
export interface ExactRate {
  readonly units: bigint
  readonly micros: bigint
}

/**
 * A token bucket in exact arithmetic, the oracle for testing limiters. It starts full. Times are whole microseconds and
 * must not decrease.
 */
export class ExactBucket {
  readonly #rate: ExactRate
  readonly #capacity: bigint
  /** Level at the time `#at`, in units of `1 / rate.micros`. */
  #level: bigint
  #at: bigint | undefined

  constructor(rate: ExactRate, burst: number) {
    this.#rate = rate
    this.#capacity = BigInt(burst) * rate.micros
    this.#level = this.#capacity
  }

  /** True when it has at least `cost` units at the given time. */
  holds(cost: number, at: number): boolean {
    return this.#levelAt(BigInt(at)) >= BigInt(cost) * this.#rate.micros
  }

  /** Whole units at the given time; negative when overdrawn. */
  wholeUnits(at: number): number {
    const level = this.#levelAt(BigInt(at))
    const units = level / this.#rate.micros
    return Number(level < 0n && units * this.#rate.micros !== level ? units - 1n : units)
  }

  /** Takes units, possibly overdrawing the bucket. */
  take(cost: number, at: number): void {
    this.#level = this.#levelAt(BigInt(at)) - BigInt(cost) * this.#rate.micros
    this.#at = BigInt(at)
  }

  #levelAt(at: bigint): bigint {
    const newLevel = this.#level + (at - (this.#at ?? at)) * this.#rate.units
    return newLevel < this.#capacity ? newLevel : this.#capacity
  }
}
