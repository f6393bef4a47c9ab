import { ModelUnavailable } from "@trunkline/errors"
import { Duration, Effect, type Scope } from "effect"

/** Size of a gate and of its queue. */
export interface GateOptions {
  /** Requests that are served at once. */
  readonly concurrency: number
  /** Requests that may wait. */
  readonly waiting: number
  /** Time that a request waits at most. */
  readonly queueTimeout: Duration.DurationInput
}

/** Releases a slot before its scope closes; further calls do nothing. */
export type ReleaseSlot = () => void

/**
 * Makes a gate that admits a limited number of requests at once, first come first served; a slot is held until it is
 * released or its scope closes. A request that finds the queue full or has waited for the timeout fails with
 * `ModelUnavailable`, whose `retryAfter` is that timeout: the queue is ours, not a limit of the server.
 */
export const makeGate = (
  serverName: string,
  { concurrency, queueTimeout, waiting }: GateOptions
): Effect.Effect<ReleaseSlot, ModelUnavailable, Scope.Scope> => {
  const retryAfter = Duration.decode(queueTimeout)
  const unavailable = (message: string) => new ModelUnavailable({ message, retryAfter })
  const queue = new Set<() => void>()
  let inside = 0

  /** Hands a slot on directly, so that a request that arrives meanwhile cannot overtake the queue. */
  const release = () => {
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
        resume(unavailable(`Too many requests wait for the ${serverName} already`))
      } else {
        queue.add(call)
      }
    })
    const leave = () => {
      if (isInside) release()
      else queue.delete(call)
      isInside = false
    }
    const entry = Effect.acquireReleaseInterruptible(
      Effect.timeoutFail(enter, {
        duration: queueTimeout,
        onTimeout: () => unavailable(`The ${serverName} had no time for the request within the time it may wait`)
      }),
      () => Effect.sync(leave)
    )
    return Effect.as(entry, leave)
  })
}
