import { Duration, Either } from "effect"
import { SlidingWindow } from "./SlidingWindow.js"

/** When a circuit opens and how long it stays so. */
export interface CircuitOptions {
  /** The share of calls that must fail, above 0 and up to 1; default a half. */
  readonly share?: number
  /** How many calls there must be in the window before their failures count; default 5. */
  readonly calls?: number
  /** How long a call counts after its end; default 30 s. */
  readonly window?: Duration.DurationInput
  /** How long the model is left alone, and how far probes are apart; default 15 s, so that it is back within 30 s. */
  readonly rest?: Duration.DurationInput
}

/** What a call was let in for. */
export interface Pass {
  readonly era: number
  /** When the next probe is due after this one; null for a call through a closed circuit. */
  readonly nextProbe: number | null
}

/** How a call ended; `unknown` when its end says nothing of the model. */
export type Verdict = "good" | "bad" | "unknown"

/**
 * Lets calls through (closed) until too many of them fail, then none (open), then one at a time to see whether it is
 * better (half open): a good one closes the circuit, a bad one opens it for another rest. A probe of which nothing is
 * known yet holds the others up for one rest at most. Calls that began before the circuit last opened or closed are
 * not counted. Times are milliseconds of any one clock.
 */
export class Circuit {
  readonly #share: number
  readonly #calls: number
  readonly #rest: number
  readonly #window: SlidingWindow
  #era = 0
  /** Null while the circuit is closed. */
  #nextProbe: number | null = null

  constructor({ calls = 5, rest = "15 seconds", share = 0.5, window = "30 seconds" }: CircuitOptions = {}) {
    this.#share = share
    this.#calls = calls
    this.#rest = Duration.toMillis(rest)
    this.#window = new SlidingWindow(window)
  }

  /** Lets a call in, or says how many milliseconds it is until one may be. */
  admit(now: number): Either.Either<Pass, number> {
    if (this.#nextProbe === null) return Either.right({ era: this.#era, nextProbe: null })
    if (now < this.#nextProbe) return Either.left(this.#nextProbe - now)
    this.#nextProbe = now + this.#rest
    return Either.right({ era: this.#era, nextProbe: this.#nextProbe })
  }

  /** Takes note of how a call ended; to be told once for each pass. */
  settle(pass: Pass, verdict: Verdict, now: number): void {
    if (pass.era !== this.#era) return
    if (this.#nextProbe === null) this.#count(verdict, now)
    else if (verdict === "good") this.#turn(null)
    else if (verdict === "bad") this.#turn(now + this.#rest)
    else if (this.#nextProbe === pass.nextProbe) this.#nextProbe = now
  }

  #count(verdict: Verdict, now: number): void {
    if (verdict === "unknown") return
    this.#window.add(now, verdict === "bad")
    const { calls, failures } = this.#window.totals(now)
    if (verdict === "bad" && calls >= this.#calls && failures >= this.#share * calls) this.#turn(now + this.#rest)
  }

  #turn(nextProbe: number | null): void {
    this.#era += 1
    this.#nextProbe = nextProbe
    this.#window.clear()
  }
}
