import type { Tracer } from "effect"

/**
 * Choice of the traces that are exported. `ratio` is the share of them from 0 to 1, by the id of the trace, so that all
 * services choose the same. `followsParent`: a trace that another service has begun is exported if that service exports it.
 */
export interface TraceSampling {
  readonly ratio: number
  readonly followsParent: boolean
}

/** Number of values of the part of a trace id that decides: its last 13 digits, which a number holds exactly. */
const idDigits = 13
const idValues = 16 ** idDigits

/** Decides if a trace is exported when nothing in it fails. `parent` is the span of another service that has begun it. */
export const isSampled = (
  { followsParent, ratio }: TraceSampling,
  traceId: string,
  parent: Tracer.AnySpan | undefined
): boolean => {
  if (followsParent && parent !== undefined) return parent.sampled
  return Number.parseInt(traceId.slice(-idDigits), 16) < ratio * idValues
}
