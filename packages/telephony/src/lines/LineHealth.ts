import {
  type BreakerOutcome,
  BusinessTime,
  CircuitBreaker,
  type CircuitPass,
  type ConnectionId
} from "@trunkline/kernel"
import { Context, Duration, Effect, Layer } from "effect"

/** Permission to dial on a connection now, or the reason why it has to wait. */
export type DialPermit =
  | { readonly _tag: "Open" }
  /** This call finds out whether the line works again. */
  | { readonly _tag: "Probe" }
  /** Not before `until`, epoch milliseconds of business time; ask again then. */
  | { readonly _tag: "Paused"; readonly until: number; readonly reason: string }

/** Health of a connection. */
export interface LineState {
  readonly health: "ok" | "paused" | "probing"
  /** Epoch milliseconds of business time; null unless the line is paused. */
  readonly paused_until: number | null
  /** Why the line is not `ok`, in readable words; null when it is. */
  readonly reason: string | null
}

/**
 * Result of a dial: the provider accepted it, or it refused, failed or could not be reached. `none`: it was not dialled
 * after all, which says nothing about the line.
 */
export type DialResult = "ok" | "failed" | "none"

/** Settings of `LineHealth`. Times are business time. */
export interface LineHealthOptions {
  /** Length of the sliding window; default 120 s. */
  readonly window?: Duration.DurationInput
  /** Dials with a result that the window must hold before the line can be paused; default 20. */
  readonly leastDials?: number
  /** Share of them that must have failed, above 0 and up to 1; default 0.5. */
  readonly failedShare?: number
  /** First pause; it doubles each time a probe fails; default 30 s. */
  readonly firstPause?: Duration.DurationInput
  /** Longest pause; default 10 min. */
  readonly maxPause?: Duration.DurationInput
}

/** A probe without a result after this time no longer holds back the next one: it may never have been dialled. */
const probeTimeout = "2 minutes"

/** Callers that ask during a probe are told to ask again after this many milliseconds. */
const probePollMillis = 5_000

const askedToRest = "the provider asked for a pause"

const outcomes: Readonly<Record<DialResult, BreakerOutcome>> = { ok: "success", failed: "failure", none: "ignored" }

/**
 * The circuit breaker of one line, which matches results to probes by the time of the dial. Plain synchronous state, with
 * the time as an argument.
 */
export class LineBreaker {
  readonly #breaker: CircuitBreaker
  #closedAt = -Infinity
  /** The probe that has no result yet. */
  #probe: { readonly pass: CircuitPass; readonly since: number } | null = null
  #restsUntil = -Infinity
  #restReason = askedToRest
  readonly #longestPause: number

  /** A breaker of a line that works. */
  constructor(options: LineHealthOptions = {}) {
    const maxPause = options.maxPause ?? "10 minutes"
    this.#longestPause = Duration.toMillis(maxPause)
    this.#breaker = new CircuitBreaker({
      window: options.window ?? "120 seconds",
      minimumCalls: options.leastDials ?? 20,
      failureThreshold: options.failedShare ?? 0.5,
      openFor: options.firstPause ?? "30 seconds",
      maximumOpenFor: maxPause,
      probeTimeout
    })
  }

  /** Asked right before a dial; see `LineHealth.permit`. */
  permit(now: number): DialPermit {
    if (now < this.#restsUntil) return { _tag: "Paused", until: this.#restsUntil, reason: this.#restReason }
    const reason = this.#reason
    if (reason === null) return { _tag: "Open" }
    const wait = this.#breaker.wait(now)
    if (wait > 0) return { _tag: "Paused", until: now + (this.#probe === null ? wait : probePollMillis), reason }
    this.#probe = { pass: this.#breaker.enter(now), since: now }
    return { _tag: "Probe" }
  }

  /** Records the result of a dial. Dials from before the line was paused, probed or resumed are not counted. */
  report(result: DialResult, now: number, dialledAt: number): void {
    if (this.#breaker.openedAfter === null) {
      if (dialledAt >= this.#closedAt) this.#breaker.settle(this.#breaker.enter(now), outcomes[result], now)
    } else if (this.#probe !== null && dialledAt >= this.#probe.since) {
      this.#breaker.settle(this.#probe.pass, outcomes[result], now)
      this.#probe = null
      if (this.#breaker.openedAfter === null) this.#closedAt = now
    }
  }

  /** Pauses the line for some milliseconds, at most for the longest pause. A shorter rest does not end a longer one. */
  rest(millis: number, now: number, reason: string = askedToRest): void {
    const until = now + Math.min(millis, this.#longestPause)
    if (until <= this.#restsUntil) return
    this.#restsUntil = until
    this.#restReason = reason
  }

  /** Reads the health of the line. */
  state(now: number): LineState {
    if (now < this.#restsUntil) return { health: "paused", paused_until: this.#restsUntil, reason: this.#restReason }
    const reason = this.#reason
    if (reason === null) return { health: "ok", paused_until: null, reason }
    const wait = this.#breaker.wait(now)
    return this.#probe === null && wait > 0
      ? { health: "paused", paused_until: now + wait, reason }
      : { health: "probing", paused_until: null, reason }
  }

  get #reason(): string | null {
    const totals = this.#breaker.openedAfter
    return totals && `${totals.failures} of the last ${totals.calls} dials on this connection failed`
  }
}

/**
 * A circuit breaker for each connection. A line on which most dials fail is paused, so that it does not use up the
 * attempts of its contacts, and resumes with one probe call at a time.
 *
 * A dial fails when the provider refuses it, fails or cannot be reached; a contact who does not pick up is not a failure.
 */
export class LineHealth extends Context.Tag("@trunkline/telephony/LineHealth")<LineHealth, {
  /** Asked right before a dial. A caller with a permit must dial, or return the permit with `report(id, "none")`. */
  readonly permit: (id: ConnectionId) => Effect.Effect<DialPermit>
  /** Records the result of a dial. `Calls` reports every dial that it makes; other callers report `none` only. */
  readonly report: (id: ConnectionId, result: DialResult, dialledAt?: number) => Effect.Effect<void>
  /**
   * Rests a connection for some time, at most for the longest pause: because its provider asked not to be called, or for
   * another reason.
   */
  readonly rest: (id: ConnectionId, time: Duration.Duration, reason?: string) => Effect.Effect<void>
  /** Reads the health of a connection. */
  readonly state: (id: ConnectionId) => Effect.Effect<LineState>
}>() {
  /** Keeps the health of lines in the memory of this process. */
  static readonly layer = (options: LineHealthOptions = {}) =>
    Layer.sync(LineHealth, () => {
      const lines = new Map<ConnectionId, LineBreaker>()
      const lineOf = (id: ConnectionId): LineBreaker => {
        const line = lines.get(id) ?? new LineBreaker(options)
        lines.set(id, line)
        return line
      }
      return LineHealth.of({
        permit: (id) => Effect.map(BusinessTime.now, (now) => lineOf(id).permit(now)),
        report: (id, result, dialledAt) =>
          Effect.map(BusinessTime.now, (now) => lineOf(id).report(result, now, dialledAt ?? now)),
        rest: (id, time, reason) =>
          Effect.map(BusinessTime.now, (now) => lineOf(id).rest(Duration.toMillis(time), now, reason)),
        state: (id) => Effect.map(BusinessTime.now, (now) => lineOf(id).state(now))
      })
    })
}
