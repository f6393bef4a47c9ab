import { ModelUnavailable } from "@trunkline/errors"
import { Duration, Effect, type Scope } from "effect"

/** Number of slots, and limits on the wait for one. */
export interface SlotsOptions {
  readonly size: number
  /** Number of callers that may wait. */
  readonly waiting: number
  /** Time that each waits, in milliseconds of real time. */
  readonly waitMillis: number
}

/** Releases a slot before its scope ends. Later calls have no effect. */
export type Release = () => void

/** A number of slots; callers beyond it wait in order of arrival. */
export interface Slots {
  /** Acquires a slot until the scope ends. Fails when too many wait, or after the time limit. */
  readonly acquire: Effect.Effect<Release, ModelUnavailable, Scope.Scope>
}

const busy = new ModelUnavailable({
  message: "Too many utterances are being spoken: try again later",
  retryAfter: Duration.seconds(1)
})

/** Makes slots, all of them free. */
export const makeSlots = ({ waitMillis, size, waiting }: SlotsOptions): Slots => {
  let usedSlots = 0
  const queue = new Set<() => void>()

  /** Passes a slot to the caller that has waited longest, so that no later caller takes it first. */
  const pass = () => {
    const [next] = queue
    if (next === undefined) usedSlots -= 1
    else next()
  }

  /** Waits for a slot, until `waiter.stop` is called. */
  const wait = (waiter: { stop: () => void }, onSlot: () => void) =>
    Effect.async<void, ModelUnavailable>((resume) => {
      const stop = () => {
        clearTimeout(timer)
        queue.delete(go)
      }
      const go = () => {
        stop()
        onSlot()
        resume(Effect.void)
      }
      const timer = setTimeout(() => {
        stop()
        resume(busy)
      }, waitMillis)
      waiter.stop = stop
      queue.add(go)
    })

  return {
    // Ownership is recorded at the moment a slot is passed, so that no interruption can lose it.
    acquire: Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        let hasSlot = false
        const release = () => {
          if (hasSlot) pass()
          hasSlot = false
        }
        const onSlot = () => {
          hasSlot = true
        }
        if (usedSlots < size) {
          usedSlots += 1
          onSlot()
        } else {
          if (queue.size >= waiting) return yield* busy
          const waiter = { stop: () => {} }
          const giveUp = Effect.sync(() => {
            waiter.stop()
            release()
          })
          yield* Effect.onError(restore(wait(waiter, onSlot)), () => giveUp)
        }
        yield* Effect.addFinalizer(() => Effect.sync(release))
        return release
      })
    )
  }
}
