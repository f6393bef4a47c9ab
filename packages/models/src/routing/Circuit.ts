import { Duration } from "effect"
import { SlidingWindow } from "./SlidingWindow.js"

/** When a circuit opens and for how long. */
export interface CircuitOptions {
  /** The share of calls that must fail, above 0 and up to 1; default a half. */
  readonly share?: number
  /** How many calls there must be in the window before their failures count; default 5. */
  readonly calls?: number
  /** How long a call counts after its end; default 30 s. */
  readonly window?: Duration.DurationInput
  /** How long it stays open, and how far probes are apart; default 15 s, so that a model is back within 30 s. */
  readonly openFor?: Duration.DurationInput
}

/** Circuit options with their defaults, and durations in milliseconds. */
export interface CircuitSettings {
  readonly share: number
  readonly calls: number
  readonly window: number
  readonly openFor: number
}

/** The settings that options come to. */
export const circuitSettings = (
  { calls = 5, openFor = "15 seconds", share = 0.5, window = "30 seconds" }: CircuitOptions
): CircuitSettings => ({ share, calls, window: Duration.toMillis(window), openFor: Duration.toMillis(openFor) })

/** What a call was let in as. */
export interface Pass {
  readonly generation: number
  /** When the next probe is due after this one; null for a call through a closed circuit. */
  readonly nextProbe: number | null
}

/** How a call ended; `ignored` when its end says nothing of the model. */
export type Outcome = "success" | "failure" | "ignored"

/**
 * A circuit breaker: lets calls through (closed) until too many of them fail, then none (open), then one at a time as a
 * probe (half-open). A probe that succeeds closes the circuit, one that fails opens it anew. A probe whose outcome is
 * not known yet holds the others up for as long as a circuit stays open, and no longer. Calls that began before the
 * circuit last opened or closed are not counted. Times are milliseconds of any one clock.
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

  /** Lets a call in that need not wait. */
  enter(now: number): Pass {
    if (this.#nextProbe !== null) this.#nextProbe = now + this.#settings.openFor
    return { generation: this.#generation, nextProbe: this.#nextProbe }
  }

  /** Takes note of how a call ended; to be told once for each pass. */
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
