import { Effect, Option } from "effect"

/** How long what was looked up is good, in milliseconds: a revocation elsewhere holds within 5 seconds (decisions 17). */
const goodFor = 4_000

/** How many are remembered; the oldest is forgotten first. */
const capacity = 10_000

/** A lookup whose findings are used again for some seconds. What was not found is looked up every time. */
export interface Remembered<K, A> {
  readonly get: (key: K) => Effect.Effect<Option.Option<A>>
  /** Looks this one up anew the next time. */
  readonly forget: (key: K) => Effect.Effect<void>
}

/** Remembers what a lookup finds, under the text that `nameOf` gives a key. */
export const remembered = <K, A>(
  lookup: (key: K) => Effect.Effect<Option.Option<A>>,
  nameOf: (key: K) => string
): Remembered<K, A> => {
  const known = new Map<string, { readonly found: Option.Option<A>; readonly until: number }>()
  /** Rises with every forgetting, so that what was read before one is not remembered after it. */
  let forgotten = 0
  const remember = (name: string, found: Option.Option<A>, until: number) => {
    known.delete(name)
    const [oldest] = known.keys()
    if (known.size >= capacity && oldest !== undefined) known.delete(oldest)
    known.set(name, { found, until })
  }
  return {
    get: (key) =>
      Effect.clockWith((clock) => {
        const name = nameOf(key)
        const now = clock.unsafeCurrentTimeMillis()
        const entry = known.get(name)
        if (entry !== undefined && now < entry.until && now >= entry.until - goodFor) return Effect.succeed(entry.found)
        const before = forgotten
        return Effect.tap(lookup(key), (found) => {
          if (Option.isSome(found) && before === forgotten) remember(name, found, now + goodFor)
          else known.delete(name)
          return Effect.void
        })
      }),
    forget: (key) =>
      Effect.sync(() => {
        forgotten += 1
        known.delete(nameOf(key))
      })
  }
}
