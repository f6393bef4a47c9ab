import { BusinessTime, type ConnectionId } from "@trunkline/kernel"
import { Context, Duration, Effect, Layer } from "effect"
import { Circuit, type CircuitRules, type DialPermit, type DialResult, type LineState } from "./Circuit.js"

/** When dialling on a connection is paused. Times are business time. */
export interface LineHealthOptions {
  /** The span that is looked back over; default 120 s. */
  readonly window?: Duration.DurationInput
  /** So many dials must have come to something within it; default 20. */
  readonly leastDials?: number
  /** The share of them that must have failed, above 0 to 1; default 0.5. */
  readonly failedShare?: number
  /** The first pause; it doubles each time the line has not come back; default 30 s. */
  readonly firstPause?: Duration.DurationInput
  /** The longest pause; default 10 min. */
  readonly longestPause?: Duration.DurationInput
}

/**
 * A circuit breaker for each connection: a line on which most dials fail is left alone for a while instead of burning
 * through the people to be called, and comes back by one call at a time that tries it.
 *
 * Failed means that the provider refused, erred or could not be reached; people who do not pick up are none of its faults.
 */
export class LineHealth extends Context.Tag("@trunkline/telephony/LineHealth")<LineHealth, {
  /** Asked right before a dial. Who is permitted must dial, or hand the permit back with `report(id, "none")`. */
  readonly permit: (id: ConnectionId) => Effect.Effect<DialPermit>
  /** What came of a dial. `Calls` reports every dial that it makes; nobody else needs to, but for `none`. */
  readonly report: (id: ConnectionId, result: DialResult, dialledAt?: number) => Effect.Effect<void>
  /** How a connection is now. */
  readonly state: (id: ConnectionId) => Effect.Effect<LineState>
}>() {
  /** Watches in this process. */
  static readonly layer = (options: LineHealthOptions = {}) =>
    Layer.sync(LineHealth, () => {
      const rules: CircuitRules = {
        window: Duration.toMillis(options.window ?? "120 seconds"),
        leastDials: options.leastDials ?? 20,
        failedShare: options.failedShare ?? 0.5,
        firstPause: Duration.toMillis(options.firstPause ?? "30 seconds"),
        longestPause: Duration.toMillis(options.longestPause ?? "10 minutes")
      }
      const circuits = new Map<ConnectionId, Circuit>()
      const of = (id: ConnectionId): Circuit => {
        const circuit = circuits.get(id) ?? new Circuit(rules)
        circuits.set(id, circuit)
        return circuit
      }
      return LineHealth.of({
        permit: (id) => Effect.map(BusinessTime.now, (now) => of(id).permit(now)),
        report: (id, result, dialledAt) =>
          Effect.map(BusinessTime.now, (now) => of(id).report(result, now, dialledAt ?? now)),
        state: (id) => Effect.map(BusinessTime.now, (now) => of(id).state(now))
      })
    })
}
