import { CurrentStorePatience, StoreBusy, StorePatience } from "@trunkline/kernel"
import { Effect, Option } from "effect"

/** How long what was looked up is good, in milliseconds: a revocation elsewhere holds within 5 seconds (decisions 17). */
const goodFor = 4_000

/** How long it is good while the store is busy, in milliseconds. */
const goodWhileBusy = 60_000

/** Asks a store once, without a wait. */
const impatient = new StorePatience("0 millis")

/** How many are remembered; the oldest is forgotten first. */
const capacity = 10_000

/**
 * A lookup whose findings are used again for 4 seconds. After that a busy store is asked every time, but not waited for:
 * as long as it is busy, what was found is used, for a minute altogether. What was not found is looked up every time.
 */
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
  const known = new Map<string, { readonly found: Option.Option<A>; readonly since: number }>()
  /** Rises with every forgetting, so that what was read before one is not remembered after it. */
  let forgotten = 0
  const remember = (name: string, found: Option.Option<A>, since: number) => {
    known.delete(name)
    const [oldest] = known.keys()
    if (known.size >= capacity && oldest !== undefined) known.delete(oldest)
    known.set(name, { found, since })
  }
  /** Looks up, and remembers what is found, as of when it was asked for. */
  const ask = (key: K, name: string, now: number) => {
    const before = forgotten
    return Effect.tap(lookup(key), (found) => {
      if (Option.isSome(found) && before === forgotten) remember(name, found, now)
      else known.delete(name)
      return Effect.void
    })
  }
  return {
    get: (key) =>
      Effect.clockWith((clock) => {
        const name = nameOf(key)
        const now = clock.unsafeCurrentTimeMillis()
        const entry = known.get(name)
        const age = entry === undefined ? Infinity : now - entry.since
        if (entry === undefined || age < 0 || age >= goodWhileBusy) return ask(key, name, now)
        if (age < goodFor) return Effect.succeed(entry.found)
        return Effect.catchSomeDefect(
          Effect.locally(ask(key, name, now), CurrentStorePatience, impatient),
          (defect) =>
            defect instanceof StoreBusy && known.get(name) === entry
              ? Option.some(Effect.succeed(entry.found))
              : Option.none()
        )
      }),
    forget: (key) =>
      Effect.sync(() => {
        forgotten += 1
        known.delete(nameOf(key))
      })
  }
}
