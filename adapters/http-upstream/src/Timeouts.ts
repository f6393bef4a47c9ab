import { Duration } from "effect"

/**
 * How long each part of an answer may take. They run by the wall, since a server does not live in simulated time. An
 * infinite one never ends. While the reader is behind, only `total` goes on.
 */
export interface Timeouts {
  /** Until the request is on its way: name, connection and TLS. Default: 5 s. */
  readonly connect: Duration.DurationInput
  /** From then until the first byte of the answer's body. Default: 10 s. */
  readonly firstByte: Duration.DurationInput
  /** From one piece of the body to the next. Default: 10 s. */
  readonly betweenBytes: Duration.DurationInput
  /** For the whole of one try. Default: 5 min. */
  readonly total: Duration.DurationInput
}

/** The parts of an answer that are timed. */
export type Phase = keyof Timeouts

/** Timeouts in milliseconds. */
export type Millis = Readonly<Record<Phase, number>>

const usual: Timeouts = {
  connect: "5 seconds",
  firstByte: "10 seconds",
  betweenBytes: "10 seconds",
  total: "5 minutes"
}

/** The timeouts that follow from some. */
export const millisOf = (some: Partial<Timeouts>): Millis => {
  const of = (phase: Phase) => Duration.toMillis(some[phase] ?? usual[phase])
  return { connect: of("connect"), firstByte: of("firstByte"), betweenBytes: of("betweenBytes"), total: of("total") }
}
