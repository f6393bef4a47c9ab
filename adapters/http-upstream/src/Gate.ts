import { ModelUnavailable } from "@trunkline/errors"
import { Duration, Effect, type Scope } from "effect"

/** How many are let in, and who may wait. */
export interface GateOptions {
  /** How many are inside at once. */
  readonly concurrency: number
  /** How many wait at most. */
  readonly waiting: number
  /** How long each of them waits. */
  readonly patience: Duration.DurationInput
}

/** Gives a place back before its scope closes. Once is enough. */
export type Leave = () => void

/**
 * Lets in as many at once as it may, whoever waits longest first, until they leave or their scopes close. Who would wait
 * as one too many, and who has waited for as long as its patience, gets `ModelUnavailable`, whose `retryAfter` is that
 * patience: the queue is our own, and no limit of the caller's.
 */
export const makeGate = (
  who: string,
  { concurrency, patience, waiting }: GateOptions
): Effect.Effect<Leave, ModelUnavailable, Scope.Scope> => {
  const retryAfter = Duration.decode(patience)
  const refused = (message: string) => new ModelUnavailable({ message, retryAfter })
  const queue = new Set<() => void>()
  let inside = 0

  /** Hands a place on, so that nobody who comes meanwhile takes it first. */
  const pass = () => {
    const [next] = queue
    if (next === undefined) {
      inside -= 1
    } else {
      queue.delete(next)
      next()
    }
  }

  return Effect.suspend(() => {
    let isInside = false
    let call = () => {}
    const enter = Effect.async<void, ModelUnavailable>((resume) => {
      call = () => {
        isInside = true
        resume(Effect.void)
      }
      if (inside < concurrency) {
        inside += 1
        call()
      } else if (queue.size >= waiting) {
        resume(refused(`Too many requests wait for the ${who} already`))
      } else {
        queue.add(call)
      }
    })
    const leave = () => {
      if (isInside) pass()
      else queue.delete(call)
      isInside = false
    }
    const entered = Effect.acquireReleaseInterruptible(
      Effect.timeoutFail(enter, {
        duration: patience,
        onTimeout: () => refused(`The ${who} had no time for the request within the time it may wait`)
      }),
      () => Effect.sync(leave)
    )
    return Effect.as(entered, leave)
  })
}
