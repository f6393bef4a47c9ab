import { CurrentStoreWaitBudget, isStoreOutage, lruCache, StoreWaitBudget } from "@trunkline/kernel"
import { Effect, Option } from "effect"

/** Lifetime of cached results in milliseconds; bounds the delay of a revocation in another process to 5 seconds. */
const ttl = 4_000

/** Lifetime of cached results while the store is busy or away, in milliseconds. */
const staleTtl = 60_000

/** Fails immediately when the store is busy. */
const noWait = new StoreWaitBudget("0 millis")

/** Maximum number of cached results; the one that was used last the longest ago is evicted first. */
const capacity = 10_000

/**
 * A lookup with a cache of 4 seconds. After that the store is queried each time without waiting; while it is busy, the
 * cached result is used for up to a minute. Missing results are not cached.
 */
interface CachedLookup<K, A> {
  readonly get: (key: K) => Effect.Effect<Option.Option<A>>
  /** The cached result that `get` would use at `now`, in milliseconds, without the store; undefined for none. */
  readonly fresh: (key: K, now: number) => A | undefined
  /** Removes the cached result of a key. */
  readonly invalidate: (key: K) => Effect.Effect<void>
}

/** Adds a cache to a lookup; `cacheKeyOf` maps a key to its cache key. */
export const cachedLookup = <K, A>(
  lookup: (key: K) => Effect.Effect<Option.Option<A>>,
  cacheKeyOf: (key: K) => string
): CachedLookup<K, A> => {
  const cache = lruCache<string, { readonly value: Option.Option<A>; readonly since: number }>(capacity)
  /** Incremented by every invalidation, so that results read before one are not cached after it. */
  let generation = 0
  /** Queries the store and caches the result as of the time of the query. */
  const load = (key: K, name: string, now: number) => {
    const before = generation
    return Effect.tap(lookup(key), (value) => {
      if (Option.isSome(value) && before === generation) cache.set(name, { value, since: now })
      else cache.delete(name)
      return Effect.void
    })
  }
  return {
    get: (key) =>
      Effect.clockWith((clock) => {
        const name = cacheKeyOf(key)
        const now = clock.unsafeCurrentTimeMillis()
        const entry = cache.get(name)
        const age = entry === undefined ? Infinity : now - entry.since
        if (entry === undefined || age < 0 || age >= staleTtl) return load(key, name, now)
        if (age < ttl) return Effect.succeed(entry.value)
        return Effect.catchSomeDefect(
          Effect.locally(load(key, name, now), CurrentStoreWaitBudget, noWait),
          (defect) =>
            isStoreOutage(defect) && cache.get(name) === entry
              ? Option.some(Effect.succeed(entry.value))
              : Option.none()
        )
      }),
    fresh: (key, now) => {
      const entry = cache.get(cacheKeyOf(key))
      const age = entry === undefined ? Infinity : now - entry.since
      return entry !== undefined && age >= 0 && age < ttl ? Option.getOrUndefined(entry.value) : undefined
    },
    invalidate: (key) =>
      Effect.sync(() => {
        generation += 1
        cache.delete(cacheKeyOf(key))
      })
  }
}
