import { type Effect, Either } from "effect"

/** Number of results that one reader remembers, and the longest text that it remembers one for. */
const capacity = 1_000
const longestText = 256

/**
 * Remembers the results of a pure reader by the text that they were read from: clients poll lists with a few queries, in a
 * few workspaces. Failures, long texts and results that have to wait are read each time.
 */
export const remembered = <Input, A, E>(
  read: (input: Input) => Effect.Effect<A, E>
): (text: string, input: Input) => Effect.Effect<A, E> => {
  const results = new Map<string, Effect.Effect<A, E>>()
  return (text, input) => {
    const known = results.get(text)
    if (known !== undefined) return known
    const result = read(input)
    if (!Either.isEither(result) || Either.isLeft(result) || text.length > longestText) return result
    if (results.size >= capacity) results.clear()
    results.set(text, result)
    return result
  }
}
