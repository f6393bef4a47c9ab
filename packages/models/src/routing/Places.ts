import { ModelRateLimited } from "@trunkline/errors"
import { Deferred, Duration, Effect, FiberId } from "effect"

/** How many are let in, and who may wait. */
export interface QueueOptions {
  /** How many have a place at once. */
  readonly concurrency: number
  /** How many wait for one at most. */
  readonly waiting: number
  /** How long each of them waits. */
  readonly patience: Duration.DurationInput
}

/** One visit: a place is asked for once, and given back once. */
export interface Visit {
  /** Comes to an end when there is a place, and fails when there will be none in time. */
  readonly enter: Effect.Effect<void, ModelRateLimited>
  /** Gives the place back, or leaves the queue. To be run whatever becomes of `enter`. */
  readonly leave: Effect.Effect<void>
}

/** Places that go to whoever waits longest. The result makes visits. */
export const makePlaces = ({ concurrency, patience, waiting }: QueueOptions): () => Visit => {
  const retryAfter = Duration.decode(patience)
  const refused = (message: string) => new ModelRateLimited({ message, retryAfter })
  const queue = new Set<() => void>()
  let taken = 0

  /** Hands a place on, so that nobody who comes meanwhile takes it first. */
  const pass = () => {
    const [next] = queue
    if (next === undefined) {
      taken -= 1
    } else {
      queue.delete(next)
      next()
    }
  }

  return () => {
    const called = Deferred.unsafeMake<void>(FiberId.none)
    let isInside = false
    const call = () => {
      isInside = true
      Deferred.unsafeDone(called, Effect.void)
    }
    return {
      enter: Effect.suspend(() => {
        if (taken < concurrency) {
          taken += 1
          isInside = true
          return Effect.void
        }
        if (queue.size >= waiting) return refused("Too many requests wait for the model already")
        queue.add(call)
        return Effect.timeoutFail(Deferred.await(called), {
          duration: patience,
          onTimeout: () => refused("The model had no time for the request within the time it may wait")
        })
      }),
      leave: Effect.sync(() => {
        if (isInside) pass()
        else queue.delete(call)
      })
    }
  }
}
