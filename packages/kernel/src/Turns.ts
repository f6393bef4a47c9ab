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
  const mutex = Effect.unsafeMakeSemaphore(1)
  let waiting = 0
  const arrive = Effect.sync(() => waiting += 1)
  const leave = Effect.sync(() => waiting -= 1)
  return {
    take: (effect) =>
      Effect.uninterruptibleMask((restore) =>
        arrive.pipe(
          Effect.zipRight(Effect.ensuring(restore(mutex.take(1)), leave)),
          Effect.zipRight(Effect.ensuring(restore(effect), mutex.release(1)))
        )
      ),
    waiting: Effect.sync(() => waiting)
  }
}
