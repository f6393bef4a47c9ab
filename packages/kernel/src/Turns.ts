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
  const pass = () => {
    const [next] = waiting
    if (next === undefined) taken = false
    else next()
  }

  return {
    // Whether one has the turn or waits for it is known here, where no interruption comes in between.
    take: (effect) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          let isOurs = !taken
          taken = true
          let go = () => {}
          const wait = Effect.async<void>((resume) => {
            go = () => {
              waiting.delete(go)
              isOurs = true
              resume(Effect.void)
            }
            waiting.add(go)
          })
          const leave = Effect.sync(() => {
            waiting.delete(go)
            if (isOurs) pass()
          })
          return Effect.ensuring(Effect.zipRight(isOurs ? Effect.void : restore(wait), restore(effect)), leave)
        })
      ),
    waiting: Effect.sync(() => waiting.size)
  }
}
