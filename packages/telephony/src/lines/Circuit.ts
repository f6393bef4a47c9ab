/** Whether a call may be dialled on a connection now. */
export type DialPermit =
  | { readonly _tag: "Open" }
  /** This one finds out whether the line is back. */
  | { readonly _tag: "Probe" }
  /** Not before `until`, epoch milliseconds of business time; ask again then. */
  | { readonly _tag: "Paused"; readonly until: number; readonly reason: string }

/** How a connection is. */
export interface LineState {
  readonly health: "ok" | "paused" | "probing"
  /** Epoch milliseconds of business time; null unless it is paused. */
  readonly paused_until: number | null
  /** Why it is not `ok`, fit for people to read; null when it is. */
  readonly reason: string | null
}

/**
 * What came of a dial: the provider took it, or it refused, erred or could not be reached. `none`: it was not dialled
 * after all, which says nothing of the line.
 */
export type DialResult = "ok" | "failed" | "none"

/** When a line is paused; times in milliseconds. */
export interface CircuitRules {
  readonly window: number
  readonly leastDials: number
  readonly failedShare: number
  readonly firstPause: number
  readonly longestPause: number
}

/** Into so many parts the window is cut; the oldest leaves as a whole. */
const PARTS = 12

/** After so long nobody waits any more for what a probe has to say: it may never have been dialled. */
const PROBE_LASTS = 120_000

/** Who asks while a probe is on its way asks again after this. */
const PROBE_ASKS_AGAIN = 5_000

interface Part {
  readonly from: number
  dials: number
  failed: number
}

type Phase =
  | { readonly _tag: "Closed" }
  | { readonly _tag: "Paused"; readonly until: number; readonly reason: string }
  | { readonly _tag: "Probing"; readonly since: number; readonly reason: string }

/** The breaker of one line: closed while it works, paused when most dials fail, probing before it is closed again. */
export class Circuit {
  readonly #rules: CircuitRules
  #parts: Array<Part> = []
  #phase: Phase = { _tag: "Closed" }
  #pause: number
  #closedAt = -Infinity

  /** A line of which nothing bad is known. */
  constructor(rules: CircuitRules) {
    this.#rules = rules
    this.#pause = rules.firstPause
  }

  /** Whether to dial now. */
  permit(now: number): DialPermit {
    const phase = this.#phase
    if (phase._tag === "Closed") return { _tag: "Open" }
    if (phase._tag === "Paused" && now < phase.until) return phase
    if (phase._tag === "Probing" && now < phase.since + PROBE_LASTS) {
      return { _tag: "Paused", until: now + PROBE_ASKS_AGAIN, reason: phase.reason }
    }
    this.#phase = { _tag: "Probing", since: now, reason: phase.reason }
    return { _tag: "Probe" }
  }

  /** What came of a dial. Those that were on their way before a pause or a probe began change nothing any more. */
  report(result: DialResult, now: number, dialledAt: number): void {
    const phase = this.#phase
    if (phase._tag === "Probing" && dialledAt >= phase.since) this.#probed(result, now, phase.reason)
    else if (phase._tag === "Closed" && result !== "none" && dialledAt >= this.#closedAt) this.#count(result, now)
  }

  /** How the line is. */
  state(now: number): LineState {
    const phase = this.#phase
    switch (phase._tag) {
      case "Closed":
        return { health: "ok", paused_until: null, reason: null }
      case "Paused":
        return now < phase.until
          ? { health: "paused", paused_until: phase.until, reason: phase.reason }
          : { health: "probing", paused_until: null, reason: phase.reason }
      case "Probing":
        return { health: "probing", paused_until: null, reason: phase.reason }
    }
  }

  #probed(result: DialResult, now: number, reason: string) {
    if (result === "ok") {
      this.#phase = { _tag: "Closed" }
      this.#parts = []
      this.#closedAt = now
      this.#pause = this.#rules.firstPause
    } else if (result === "failed") {
      this.#pause = Math.min(this.#pause * 2, this.#rules.longestPause)
      this.#phase = { _tag: "Paused", until: now + this.#pause, reason }
    } else {
      this.#phase = { _tag: "Paused", until: now, reason }
    }
  }

  #count(result: "ok" | "failed", now: number) {
    const { failedShare, leastDials, window } = this.#rules
    const length = window / PARTS
    const from = Math.floor(now / length) * length
    this.#parts = this.#parts.filter((part) => part.from > now - window && part.from <= from)
    const last = this.#parts.at(-1)
    const part = last?.from === from ? last : { from, dials: 0, failed: 0 }
    if (part !== last) this.#parts.push(part)
    part.dials += 1
    if (result === "failed") part.failed += 1
    const sum = (of: "dials" | "failed") => this.#parts.reduce((total, part) => total + part[of], 0)
    const [dials, failed] = [sum("dials"), sum("failed")]
    if (dials < leastDials || failed < dials * failedShare) return
    this.#phase = {
      _tag: "Paused",
      until: now + this.#pause,
      reason: `${failed} of the last ${dials} dials on this connection failed`
    }
    this.#parts = []
  }
}
