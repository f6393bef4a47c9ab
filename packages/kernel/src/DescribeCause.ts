import { Array, Cause, Predicate } from "effect"

const framePattern = /^ {4}at .+(?::\d+:\d+|<anonymous>)\)?$/gm
const maxFrames = 12

const nameOf = (error: unknown): string =>
  Predicate.hasProperty(error, "_tag") ? String(error._tag) : error instanceof Error ? error.name : typeof error

/** The stack without the message that it begins with. */
const framesOf = (error: unknown): ReadonlyArray<string> => {
  if (!(error instanceof Error) || error.stack === undefined) return []
  const frames = error.stack.slice(error.stack.indexOf(error.message) + error.message.length)
  return Array.take(frames.match(framePattern) ?? [], maxFrames)
}

/**
 * What may be logged of a cause: what kind of errors they were and where they came from. Their messages are left out,
 * since they may repeat numbers, variables and whatever else was being worked on (decisions 18).
 */
export const describeCause = (cause: Cause.Cause<unknown>): string =>
  [...Cause.failures(cause), ...Cause.defects(cause)]
    .map((error) => [nameOf(error), ...framesOf(error)].join("\n"))
    .join("\n")
