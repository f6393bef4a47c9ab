import { Cause, Effect, Exit } from "effect"
import { mapNow } from "../fast/Immediate.js"

/** A mutex that serves its waiters in the order of their arrival. */
export interface FairMutex {
  /** Runs an effect while holding the mutex. */
  readonly withLock: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Number of waiters. */
  readonly waiting: Effect.Effect<number>
  /** Number of waiters at this moment. */
  readonly unsafeWaiting: () => number
}

/** Runs after each holder, whatever its exit, and has to call `pass` exactly once to hand the mutex on. */
export type Handover = (
  holder: {
    readonly exit: Exit.Exit<unknown, unknown>
    /** Number of waiters. If it is above 0, calling `pass` synchronously is sure to hand the mutex to one of them. */
    readonly waiting: number
    readonly pass: () => void
  }
) => Effect.Effect<void>

const passAtOnce: Handover = ({ pass }) => Effect.succeed(pass())

/**
 * Makes a mutex that nobody holds. Unlike `Effect.makeSemaphore(1)`, it serves waiters strictly in order, counts them,
 * and can do uninterruptible work between two holders (`handover`).
 */
export const makeFairMutex = (handover: Handover = passAtOnce): FairMutex => {
  const waiters = new Set<() => void>()
  let isHeld = false

  /** Hands the mutex directly to the longest waiter, so that no later arrival can overtake it. */
  const pass = () => {
    const [next] = waiters
    if (next === undefined) isHeld = false
    else next()
  }

  return {
    // Ownership is tracked here in uninterruptible code, so that an interruption cannot lose the mutex.
    withLock: (effect) =>
      Effect.uninterruptibleMask((restore) => {
        let isOwner = !isHeld
        isHeld = true
        let grant = () => {}
        const wait = Effect.async<void>((resume) => {
          grant = () => {
            waiters.delete(grant)
            isOwner = true
            resume(Effect.void)
          }
          waiters.add(grant)
        })
        const leave = (exit: Exit.Exit<unknown, unknown>) => {
          waiters.delete(grant)
          return isOwner ? handover({ exit, waiting: waiters.size, pass }) : Effect.void
        }
        return Effect.matchCauseEffect(isOwner ? restore(effect) : Effect.zipRight(restore(wait), restore(effect)), {
          onFailure: (cause) =>
            Effect.matchCauseEffect(leave(Exit.failCause(cause)), {
              onFailure: (second) => Effect.failCause(Cause.sequential(cause, second)),
              onSuccess: () => Effect.failCause(cause)
            }),
          onSuccess: (value) => mapNow(leave(Exit.succeed(value)), () => value)
        })
      }),
    waiting: Effect.sync(() => waiters.size),
    unsafeWaiting: () => waiters.size
  }
}
