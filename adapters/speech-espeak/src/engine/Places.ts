import { ModelUnavailable } from "@trunkline/errors"
import { Duration, Effect, type Scope } from "effect"

/** How many work at a time, and how the others wait. */
export interface PlacesOptions {
  readonly size: number
  /** How many may wait. */
  readonly waiting: number
  /** How long each waits, in milliseconds by the wall. */
  readonly patience: number
}

/** Gives a place back before its scope ends. Once is enough. */
export type Leave = () => void

/** Places for some at a time; the others wait in the order in which they came. */
export interface Places {
  /** A place until the scope ends. Fails when too many wait, or when it took too long. */
  readonly enter: Effect.Effect<Leave, ModelUnavailable, Scope.Scope>
}

const busy = new ModelUnavailable({
  message: "espeak-ng speaks for too many others: try again later",
  retryAfter: Duration.seconds(1)
})

/** Makes places that nobody has taken yet. */
export const makePlaces = ({ patience, size, waiting }: PlacesOptions): Places => {
  let taken = 0
  const queue = new Set<() => void>()

  /** Hands a place to whoever waits longest, so that nobody who comes meanwhile takes it first. */
  const pass = () => {
    const [next] = queue
    if (next === undefined) taken -= 1
    else next()
  }

  /** Waits until `visit.stop` is called, which ends it however far it has come. */
  const wait = (visit: { stop: () => void }, onPlace: () => void) =>
    Effect.async<void, ModelUnavailable>((resume) => {
      const stop = () => {
        clearTimeout(timer)
        queue.delete(go)
      }
      const go = () => {
        stop()
        onPlace()
        resume(Effect.void)
      }
      const timer = setTimeout(() => {
        stop()
        resume(busy)
      }, patience)
      visit.stop = stop
      queue.add(go)
    })

  return {
    // A place is noted as one's own in the moment in which it is given, so that no interruption can lose it.
    enter: Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        let hasPlace = false
        const leave = () => {
          if (hasPlace) pass()
          hasPlace = false
        }
        const onPlace = () => {
          hasPlace = true
        }
        if (taken < size) {
          taken += 1
          onPlace()
        } else {
          if (queue.size >= waiting) return yield* busy
          const visit = { stop: () => {} }
          const giveUp = Effect.sync(() => {
            visit.stop()
            leave()
          })
          yield* Effect.onError(restore(wait(visit, onPlace)), () => giveUp)
        }
        yield* Effect.addFinalizer(() => Effect.sync(leave))
        return leave
      })
    )
  }
}
