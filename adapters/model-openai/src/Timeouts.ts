import { ModelTimedOut } from "@trunkline/errors"
import { Duration } from "effect"
import type { Trouble } from "./failures/Trouble.js"

/**
 * How long each part of an answer may take. They run by the wall, since an upstream does not live in simulated time.
 * An infinite one never ends. While the reader of a stream is behind, only `total` goes on.
 */
export interface Timeouts {
  /** Until the request is on its way: name, connection, TLS, and a free connection. Default: 5 s. */
  readonly connect: Duration.DurationInput
  /** From then until a stream's answer begins with its status. Default: 60 s. */
  readonly headers: Duration.DurationInput
  /**
   * From the request until a stream's first token, thoughts and tools included. Comments that keep the connection
   * alive and pieces with nothing in them are no tokens. Default: 60 s.
   */
  readonly firstToken: Duration.DurationInput
  /** Between two tokens of a stream. Default: 30 s. */
  readonly betweenTokens: Duration.DurationInput
  /**
   * For the whole answer; the only one, beside `connect`, that counts for answers that come in one. Default: 10 min; for
   * answers that come in one 2 min, because until then nobody knows whether the upstream is silent.
   */
  readonly total: Duration.DurationInput
}

/** Default of `connect`. */
export const usualConnect: Duration.DurationInput = "5 seconds"

const usual = (streamed: boolean): Timeouts => ({
  connect: usualConnect,
  headers: "60 seconds",
  firstToken: "60 seconds",
  betweenTokens: "30 seconds",
  total: streamed ? "10 minutes" : "2 minutes"
})

/** The parts of an answer that are timed. */
export type Phase = keyof Timeouts

/** Timeouts in milliseconds. */
export type Millis = Readonly<Record<Phase, number>>

/** The timeouts that follow from some, for a stream or for an answer that comes in one. */
export const millisOf = (options: Partial<Timeouts>, streamed: boolean): Millis => {
  const others = usual(streamed)
  const of = (phase: Phase) => Duration.toMillis(options[phase] ?? others[phase])
  return {
    connect: of("connect"),
    headers: of("headers"),
    firstToken: of("firstToken"),
    betweenTokens: of("betweenTokens"),
    total: of("total")
  }
}

const lacking: Readonly<Record<Phase, string>> = {
  connect: "it was not connected",
  headers: "its answer did not begin",
  firstToken: "its first token did not come",
  betweenTokens: "its next token did not come",
  total: "its answer was not whole"
}

/** A part that took too long. */
export const timedOut = (phase: Phase, millis: Millis): Trouble => ({
  failure: new ModelTimedOut({
    message: `The model took too long: ${lacking[phase]} within ${Duration.format(millis[phase])}`,
    ...phase === "connect" && { unreachable: true }
  }),
  note: `timeout of ${phase}`
})
