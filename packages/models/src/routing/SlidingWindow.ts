import { Duration } from "effect"

/** A window moves on by this share of itself. */
const parts = 10

interface Part {
  calls: number
  failures: number
}

/** How many calls there were of late, and how many of them failed; to within a tenth of the window. */
export class SlidingWindow {
  readonly #width: number
  readonly #parts = new Map<number, Part>()

  constructor(length: Duration.DurationInput) {
    this.#width = Duration.toMillis(length) / parts
  }

  /** Counts a call that has ended. */
  add(now: number, isFailure: boolean): void {
    this.#forget(now)
    const number = this.#numberOf(now)
    const part = this.#parts.get(number) ?? { calls: 0, failures: 0 }
    part.calls += 1
    if (isFailure) part.failures += 1
    this.#parts.set(number, part)
  }

  /** What is in the window. */
  totals(now: number): Readonly<Part> {
    this.#forget(now)
    const totals: Part = { calls: 0, failures: 0 }
    for (const { calls, failures } of this.#parts.values()) {
      totals.calls += calls
      totals.failures += failures
    }
    return totals
  }

  /** Empties the window. */
  clear(): void {
    this.#parts.clear()
  }

  #numberOf(now: number): number {
    return Math.floor(now / this.#width)
  }

  #forget(now: number): void {
    const oldest = this.#numberOf(now) - parts + 1
    for (const number of this.#parts.keys()) if (number < oldest) this.#parts.delete(number)
  }
}
