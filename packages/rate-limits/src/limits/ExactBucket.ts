/** A rate as an exact fraction: so many units in so many microseconds. */
export interface ExactRate {
  readonly units: bigint
  readonly micros: bigint
}

/**
 * A token bucket in exact fractions, without any rounding: what a limiter's answers are measured against. It starts
 * full. Times are whole microseconds and do not go back.
 */
export class ExactBucket {
  readonly #rate: ExactRate
  readonly #capacity: bigint
  /** What it holds, in units of `1 / rate.micros`, at the time `#at`. */
  #level: bigint
  #at: bigint | undefined

  constructor(rate: ExactRate, burst: number) {
    this.#rate = rate
    this.#capacity = BigInt(burst) * rate.micros
    this.#level = this.#capacity
  }

  /** Whether it holds as many units at this moment. */
  holds(cost: number, at: number): boolean {
    return this.#levelAt(BigInt(at)) >= BigInt(cost) * this.#rate.micros
  }

  /** How many whole units it holds at this moment; below zero when more was taken than there was. */
  wholeUnits(at: number): number {
    const level = this.#levelAt(BigInt(at))
    const units = level / this.#rate.micros
    return Number(level < 0n && units * this.#rate.micros !== level ? units - 1n : units)
  }

  /** Takes units out of it, whether it holds them or not. */
  take(cost: number, at: number): void {
    this.#level = this.#levelAt(BigInt(at)) - BigInt(cost) * this.#rate.micros
    this.#at = BigInt(at)
  }

  #levelAt(at: bigint): bigint {
    const refilled = this.#level + (at - (this.#at ?? at)) * this.#rate.units
    return refilled < this.#capacity ? refilled : this.#capacity
  }
}
