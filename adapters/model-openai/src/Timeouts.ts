import { ModelTimedOut } from "@trunkline/errors"
import { Duration } from "effect"
import type { UpstreamError } from "./UpstreamError.js"

/**
 * Timeouts of the phases of an answer. They run in real time, since an upstream does not live in simulated time. An
 * infinite timeout never expires. While the reader of a stream is behind, only `total` runs.
 */
export interface Timeouts {
  /** Until the request is sent: a free connection, name lookup, connection and TLS. Default: 5 s. */
  readonly connect: Duration.DurationInput
  /** From then until the status of a streamed response. Default: 60 s. */
  readonly headers: Duration.DurationInput
  /**
   * From the request until the first token of a stream, including thoughts and tool calls. Keep-alive comments and
   * empty deltas are not tokens. Default: 60 s.
   */
  readonly firstToken: Duration.DurationInput
  /** Between two tokens of a stream. Default: 30 s. */
  readonly betweenTokens: Duration.DurationInput
  /**
   * For the whole answer; together with `connect` the only one for answers that are not streamed. Default: 10 min for
   * streams, 2 min otherwise, because a silent upstream is not noticed before.
   */
  readonly total: Duration.DurationInput
}

/** Default of `connect`. */
export const defaultConnectTimeout: Duration.DurationInput = "5 seconds"

const defaults = (isStreamed: boolean): Timeouts => ({
  connect: defaultConnectTimeout,
  headers: "60 seconds",
  firstToken: "60 seconds",
  betweenTokens: "30 seconds",
  total: isStreamed ? "10 minutes" : "2 minutes"
})

/** Phases of an answer that have a timeout. */
export type Phase = keyof Timeouts

/** Timeouts in milliseconds. */
export type Millis = Readonly<Record<Phase, number>>

/** Fills in the default timeouts of a streamed or whole answer. */
export const millisOf = (options: Partial<Timeouts>, isStreamed: boolean): Millis => {
  const others = defaults(isStreamed)
  const of = (phase: Phase) => Duration.toMillis(options[phase] ?? others[phase])
  return {
    connect: of("connect"),
    headers: of("headers"),
    firstToken: of("firstToken"),
    betweenTokens: of("betweenTokens"),
    total: of("total")
  }
}

const missedPhases: Readonly<Record<Phase, string>> = {
  connect: "it was not connected",
  headers: "its answer did not begin",
  firstToken: "its first token did not come",
  betweenTokens: "its next token did not come",
  total: "its answer was not whole"
}

/** A phase that took longer than its timeout. */
export const phaseTimeout = (phase: Phase, millis: Millis): UpstreamError => ({
  failure: new ModelTimedOut({
    message: `The model took too long: ${missedPhases[phase]} within ${Duration.format(millis[phase])}`,
    ...phase === "connect" && { unreachable: true }
  }),
  note: `timeout of ${phase}`
})
