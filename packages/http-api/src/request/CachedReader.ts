import { type Effect, Either } from "effect"
import { LRUCache } from "lru-cache"

/** Results that a reader keeps, and the longest text for which it keeps one, in characters. */
const maxCache = { results: 1_000, text: 256 }

/**
 * Caches the results of a pure reader by the text that they are read from: clients poll lists with a few queries. Failures,
 * results of long texts, and results that have to wait are not cached.
 */
export const cachedReader = <Input, A, E>(
  read: (input: Input) => Effect.Effect<A, E>
): (text: string, input: Input) => Effect.Effect<A, E> => {
  const results = new LRUCache<string, Effect.Effect<A, E>>({ max: maxCache.results })
  return (text, input) => {
    const hit = results.get(text)
    if (hit !== undefined) return hit
    const result = read(input)
    if (text.length <= maxCache.text && Either.isEither(result) && Either.isRight(result)) results.set(text, result)
    return result
  }
}
