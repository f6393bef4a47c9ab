import { Effect } from "effect"

/** One user at a time, the others in the order in which they came. */
export interface Turns {
  /** Runs an effect when it is its turn. */
  readonly take: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** How many wait for their turn. */
  readonly waiting: Effect.Effect<number>
}

/** Makes turns that nobody has taken yet. */
export const makeTurns = (): Turns => {
  const waiting = new Set<() => void>()
  let taken = false

  /** Hands the turn to whoever waits longest, so that nobody who comes meanwhile takes it first. */
  const pass = Effect.sync(() => {
    const [next] = waiting
    if (next === undefined) taken = false
    else {
      waiting.delete(next)
      next()
    }
  })

  const wait = Effect.async<void>((resume) => {
    const go = () => resume(Effect.void)
    waiting.add(go)
    return Effect.suspend(() => waiting.delete(go) ? Effect.void : pass)
  })

  const begin = Effect.suspend(() => {
    if (taken) return wait
    taken = true
    return Effect.void
  })

  return {
    take: (effect) =>
      Effect.uninterruptibleMask((restore) => Effect.zipRight(restore(begin), Effect.ensuring(restore(effect), pass))),
    waiting: Effect.sync(() => waiting.size)
  }
}
