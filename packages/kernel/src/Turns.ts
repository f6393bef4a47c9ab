import { Effect, type Exit } from "effect"

/** One user at a time, the others in the order in which they came. */
export interface Turns {
  /** Runs an effect when it is its turn. */
  readonly take: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** How many wait for their turn. */
  readonly waiting: Effect.Effect<number>
  /** How many wait for their turn, right now. */
  readonly unsafeWaiting: () => number
}

/** How a turn ends, with whatever came of it: by passing it on, once, to whoever waits longest. */
export type EndOfTurn = (
  turn: {
    readonly exit: Exit.Exit<unknown, unknown>
    /** How many wait; where it is more than none, one of them has the turn for certain when it is passed on right now. */
    readonly waiting: number
    readonly pass: () => void
  }
) => Effect.Effect<void>

const passOn: EndOfTurn = ({ pass }) => Effect.succeed(pass())

/** Makes turns that nobody has taken yet; they end by `end`, which nothing interrupts. */
export const makeTurns = (end: EndOfTurn = passOn): Turns => {
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
          const leave = (exit: Exit.Exit<unknown, unknown>) => {
            waiting.delete(go)
            return isOurs ? end({ exit, waiting: waiting.size, pass }) : Effect.void
          }
          return Effect.onExit(Effect.zipRight(isOurs ? Effect.void : restore(wait), restore(effect)), leave)
        })
      ),
    waiting: Effect.sync(() => waiting.size),
    unsafeWaiting: () => waiting.size
  }
}
