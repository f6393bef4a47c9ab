import { Array, Cause, Predicate } from "effect"

const framePattern = /^\s+at .*$/gm
const maxFrames = 12

const nameOf = (error: unknown): string =>
  Predicate.hasProperty(error, "_tag") ? String(error._tag) : error instanceof Error ? error.name : typeof error

const framesOf = (error: unknown): ReadonlyArray<string> =>
  error instanceof Error ? Array.take(error.stack?.match(framePattern) ?? [], maxFrames) : []

/**
 * What may be logged of a cause: what kind of errors they were and where they came from. Their messages are left out,
 * since they may repeat numbers, variables and whatever else was being worked on (decisions 18).
 */
export const describe = (cause: Cause.Cause<unknown>): string =>
  [...Cause.failures(cause), ...Cause.defects(cause)]
    .map((error) => [nameOf(error), ...framesOf(error)].join("\n"))
    .join("\n")
