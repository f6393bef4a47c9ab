import { Duration } from "effect"
import { SlidingWindow } from "./SlidingWindow.js"

/** Settings of a circuit breaker. */
export interface CircuitOptions {
  /** Share of calls that must fail for the circuit to open, above 0 and up to 1. Default: 0.5. */
  readonly share?: number
  /** Calls that the window must hold before the circuit can open. Default: 5. */
  readonly calls?: number
  /** Length of the sliding window in which calls count. Default: 30 s. */
  readonly window?: Duration.DurationInput
  /** Time in the open state, and between probes. Default: 15 s, so that a model is back within 30 s. */
  readonly openFor?: Duration.DurationInput
}

/** Circuit options with defaults filled in, and durations in milliseconds. */
export interface CircuitSettings {
  readonly share: number
  readonly calls: number
  readonly window: number
  readonly openFor: number
}

/** Fills in the defaults. */
export const circuitSettings = (
  { calls = 5, openFor = "15 seconds", share = 0.5, window = "30 seconds" }: CircuitOptions
): CircuitSettings => ({ share, calls, window: Duration.toMillis(window), openFor: Duration.toMillis(openFor) })

/** Admission of a call, to be settled when the call has ended. */
export interface Pass {
  readonly generation: number
  /** When the next probe is due after this one; null for a call through a closed circuit. */
  readonly nextProbe: number | null
}

/** Result of a call; `ignored` when it says nothing about the model. */
export type Outcome = "success" | "failure" | "ignored"

/**
 * A circuit breaker. Closed, it lets all calls through until too many of them fail. Open, it lets none through. Then it is
 * half-open and lets one probe through at a time: a success closes the circuit, a failure opens it again. A probe that has
 * not ended holds the next one back for `openFor` at most. Calls that began before the circuit last changed its state are
 * not counted. Times are milliseconds of any one clock.
 */
export class Circuit {
  readonly #settings: CircuitSettings
  readonly #window: SlidingWindow
  #generation = 0
  /** Null while the circuit is closed. */
  #nextProbe: number | null = null

  constructor(settings: CircuitSettings) {
    this.#settings = settings
    this.#window = new SlidingWindow(settings.window)
  }

  /** Milliseconds until a call may be let in; 0 when it may be now. */
  wait(now: number): number {
    return this.#nextProbe === null ? 0 : Math.max(0, this.#nextProbe - now)
  }

  /** Admits a call. Ask `wait` first. */
  enter(now: number): Pass {
    if (this.#nextProbe !== null) this.#nextProbe = now + this.#settings.openFor
    return { generation: this.#generation, nextProbe: this.#nextProbe }
  }

  /** Records the outcome of a call; once per pass. */
  settle(pass: Pass, outcome: Outcome, now: number): void {
    if (pass.generation !== this.#generation) return
    if (this.#nextProbe === null) this.#count(outcome, now)
    else if (outcome === "success") this.#turn(null)
    else if (outcome === "failure") this.#turn(now + this.#settings.openFor)
    else if (this.#nextProbe === pass.nextProbe) this.#nextProbe = now
  }

  #count(outcome: Outcome, now: number): void {
    if (outcome === "ignored") return
    this.#window.add(now, outcome === "failure")
    const { calls, openFor, share } = this.#settings
    const totals = this.#window.totals(now)
    const isFailing = totals.calls >= calls && totals.failures >= share * totals.calls
    if (outcome === "failure" && isFailing) this.#turn(now + openFor)
  }

  #turn(nextProbe: number | null): void {
    this.#generation += 1
    this.#nextProbe = nextProbe
    this.#window.clear()
  }
}
