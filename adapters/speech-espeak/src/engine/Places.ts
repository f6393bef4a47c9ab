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

  const wait = Effect.async<void, ModelUnavailable>((resume) => {
    const giveUp = () => {
      queue.delete(go)
      resume(busy)
    }
    const timer = setTimeout(giveUp, patience)
    let hasPlace = false
    const go = () => {
      clearTimeout(timer)
      queue.delete(go)
      hasPlace = true
      resume(Effect.void)
    }
    queue.add(go)
    return Effect.sync(() => {
      clearTimeout(timer)
      queue.delete(go)
      if (hasPlace) pass()
    })
  })

  const begin = Effect.suspend(() => {
    if (taken >= size) return queue.size >= waiting ? busy : wait
    taken += 1
    return Effect.void
  })

  const leaveOnce = (): Leave => {
    let left = false
    return () => {
      if (!left) pass()
      left = true
    }
  }

  return {
    enter: Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(begin), () => {
        const leave = leaveOnce()
        return Effect.as(Effect.addFinalizer(() => Effect.sync(leave)), leave)
      })
    )
  }
}
