import { Effect, Option } from "effect"

/**
 * Finds one item with a method that finds many by their keys. Stores have the methods for many only.
 *
 * @example
 * ```ts
 * const attempt = yield* findOne(attempts.findMany, attempt_id)
 * ```
 */
export const findOne = <K, A, E, R>(
  findMany: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyMap<K, A>, E, R>,
  key: K
): Effect.Effect<Option.Option<A>, E, R> => Effect.map(findMany([key]), (items) => Option.fromNullable(items.get(key)))
