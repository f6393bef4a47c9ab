import { BusinessTime } from "@trunkline/kernel"
import { Deferred, Effect, FiberId } from "effect"

/** Virtual time that stands still while real work is done, except while some of that work waits in virtual time. */
export interface StandingTime {
  /** The time for all that a call does. */
  readonly time: BusinessTime.Service
  /** Stops time until `go` was called as often. */
  readonly stop: Effect.Effect<void>
  readonly go: Effect.Effect<void>
  /** Waits in virtual time within work for which time stands still, such as a slow tool. */
  readonly pass: (millis: number) => Effect.Effect<void>
}

/** Makes a time that can be stopped from the time of the running fiber, such as that of `VirtualClock`. */
export const makeStandingTime: Effect.Effect<StandingTime> = Effect.map(BusinessTime, (virtual) => {
  let stops = 0
  let standing: Deferred.Deferred<void> | null = null

  const stop = Effect.suspend(() => {
    stops += 1
    if (stops !== 1) return Effect.void
    const until = Deferred.unsafeMake<void>(FiberId.none)
    standing = until
    return Effect.asVoid(Effect.forkDaemon(virtual.hold(Deferred.await(until))))
  })
  const go = Effect.sync(() => {
    stops -= 1
    if (stops > 0 || standing === null) return
    Deferred.unsafeDone(standing, Effect.void)
    standing = null
  })
  const hold: BusinessTime.Service["hold"] = (effect) => Effect.acquireUseRelease(stop, () => effect, () => go)
  const pass = (millis: number) =>
    Effect.acquireUseRelease(
      go,
      () => Effect.flatMap(virtual.now, (now) => virtual.sleepUntil(now + millis)),
      () => stop
    )
  return { time: BusinessTime.withHold(virtual, hold), stop, go, pass }
})
