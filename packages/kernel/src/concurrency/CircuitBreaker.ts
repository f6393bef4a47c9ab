import { Duration } from "effect"

/** Settings of a circuit breaker. */
export interface CircuitBreakerOptions {
  /** Share of calls that must fail for the circuit to open, above 0 and up to 1. Default: 0.5. */
  readonly failureThreshold?: number
  /** Calls that the window must hold before the circuit can open. Default: 5. */
  readonly minimumCalls?: number
  /** Length of the sliding window in which calls count. Default: 30 s. */
  readonly window?: Duration.DurationInput
  /** Time that the circuit stays open before a probe is let through. Default: 15 s. */
  readonly openFor?: Duration.DurationInput
  /** Upper bound of the open time, which doubles with every failed probe. Default: `openFor`, so that it never grows. */
  readonly maximumOpenFor?: Duration.DurationInput
  /** Time after which a probe without an outcome no longer holds back the next one. Default: `openFor`. */
  readonly probeTimeout?: Duration.DurationInput
}

/** Circuit breaker options with the defaults filled in and durations in milliseconds. */
export type CircuitBreakerSettings = { readonly [Key in keyof CircuitBreakerOptions]-?: number }

/** Fills in the defaults of a circuit breaker's options. */
export const circuitBreakerSettings = (options: CircuitBreakerOptions): CircuitBreakerSettings => {
  const { failureThreshold = 0.5, minimumCalls = 5, openFor = "15 seconds", window = "30 seconds" } = options
  return {
    failureThreshold,
    minimumCalls,
    window: Duration.toMillis(window),
    openFor: Duration.toMillis(openFor),
    maximumOpenFor: Duration.toMillis(options.maximumOpenFor ?? openFor),
    probeTimeout: Duration.toMillis(options.probeTimeout ?? openFor)
  }
}

/** Calls that ended within a window, and how many of them failed. */
export interface CallTotals {
  readonly calls: number
  readonly failures: number
}

/** A window moves on by this share of its length. */
const buckets = 10

/** Counts calls and failures in a sliding window, accurate to a tenth of its length. */
export class SlidingWindow {
  readonly #width: number
  readonly #buckets = new Map<number, { calls: number; failures: number }>()

  /** An empty window of so many milliseconds. */
  constructor(length: number) {
    this.#width = length / buckets
  }

  /** Counts a call that ended now. */
  add(now: number, isFailure: boolean): void {
    this.#evict(now)
    const index = this.#indexOf(now)
    const bucket = this.#buckets.get(index) ?? { calls: 0, failures: 0 }
    bucket.calls += 1
    if (isFailure) bucket.failures += 1
    this.#buckets.set(index, bucket)
  }

  /** Sums up the window. */
  totals(now: number): CallTotals {
    this.#evict(now)
    const totals = { calls: 0, failures: 0 }
    for (const { calls, failures } of this.#buckets.values()) {
      totals.calls += calls
      totals.failures += failures
    }
    return totals
  }

  /** Empties the window. */
  clear(): void {
    this.#buckets.clear()
  }

  #indexOf(now: number): number {
    return Math.floor(now / this.#width)
  }

  #evict(now: number): void {
    const oldest = this.#indexOf(now) - buckets + 1
    for (const index of this.#buckets.keys()) if (index < oldest) this.#buckets.delete(index)
  }
}

/** Admission of a call, to be passed to `settle` when the call has ended. */
export interface CircuitPass {
  readonly generation: number
  /** Time at which the next probe is due after this one; null for a call through a closed circuit. */
  readonly nextProbe: number | null
}

/** Outcome of a call; `ignored` when it says nothing about the health of what was called. */
export type BreakerOutcome = "success" | "failure" | "ignored"

/**
 * A circuit breaker. While closed, it lets all calls through until too many of them fail. Then it opens and lets none
 * through. After the open time it is half-open and lets one probe through at a time: a success closes the circuit, a
 * failure opens it again, for twice as long up to `maximumOpenFor`. Outcomes of calls that began before the circuit last
 * opened or closed are not counted.
 *
 * All times are milliseconds of one clock of the caller's choice.
 *
 * @example
 * const breaker = new CircuitBreaker({ minimumCalls: 20, openFor: "30 seconds", maximumOpenFor: "10 minutes" })
 * if (breaker.wait(now) === 0) {
 *   const pass = breaker.enter(now)
 *   breaker.settle(pass, "failure", later)
 * }
 */
export class CircuitBreaker {
  readonly #settings: CircuitBreakerSettings
  readonly #window: SlidingWindow
  #generation = 0
  /** Null while the circuit is closed. */
  #nextProbe: number | null = null
  #openFor: number
  #openedAfter: CallTotals | null = null

  /** A closed circuit. */
  constructor(options: CircuitBreakerOptions = {}) {
    this.#settings = circuitBreakerSettings(options)
    this.#window = new SlidingWindow(this.#settings.window)
    this.#openFor = this.#settings.openFor
  }

  /** The calls that opened the circuit; null while it is closed. */
  get openedAfter(): CallTotals | null {
    return this.#openedAfter
  }

  /** Milliseconds until a call may be let in; 0 when it may be now. */
  wait(now: number): number {
    return this.#nextProbe === null ? 0 : Math.max(0, this.#nextProbe - now)
  }

  /** Admits a call. Only call it when `wait` is 0. */
  enter(now: number): CircuitPass {
    if (this.#nextProbe !== null) this.#nextProbe = now + this.#settings.probeTimeout
    return { generation: this.#generation, nextProbe: this.#nextProbe }
  }

  /** Records the outcome of a call; once per pass. */
  settle(pass: CircuitPass, outcome: BreakerOutcome, now: number): void {
    if (pass.generation !== this.#generation) return
    if (this.#nextProbe === null) this.#count(outcome, now)
    else if (outcome === "success") this.#close()
    else if (outcome === "failure") this.#reopen(now)
    else if (this.#nextProbe === pass.nextProbe) this.#nextProbe = now
  }

  #count(outcome: BreakerOutcome, now: number): void {
    if (outcome === "ignored") return
    this.#window.add(now, outcome === "failure")
    const { failureThreshold, minimumCalls } = this.#settings
    const totals = this.#window.totals(now)
    const isFailing = totals.calls >= minimumCalls && totals.failures >= failureThreshold * totals.calls
    if (outcome !== "failure" || !isFailing) return
    this.#openedAfter = totals
    this.#moveTo(now + this.#openFor)
  }

  #reopen(now: number): void {
    this.#openFor = Math.min(2 * this.#openFor, this.#settings.maximumOpenFor)
    this.#moveTo(now + this.#openFor)
  }

  #close(): void {
    this.#openFor = this.#settings.openFor
    this.#openedAfter = null
    this.#moveTo(null)
  }

  #moveTo(nextProbe: number | null): void {
    this.#generation += 1
    this.#nextProbe = nextProbe
    this.#window.clear()
  }
}
