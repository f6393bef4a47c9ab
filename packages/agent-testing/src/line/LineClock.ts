import { BusinessTime } from "@trunkline/kernel"
import { Deferred, Effect, FiberId } from "effect"

/** Waits on a line whose state changes while others wait. */
export interface LineClock {
  /** Tells everybody who waits that the state has changed. */
  readonly notify: () => void
  /** Waits until a condition holds, which is looked at after each change. */
  readonly until: (isSo: () => boolean) => Effect.Effect<void>
  /**
   * Lets so many milliseconds pass, those during a pause not counted, unless a condition holds before. Returns the milliseconds
   * that have passed.
   */
  readonly elapse: (millis: number, conditions: ElapseConditions) => Effect.Effect<number>
}

/** Conditions of a wait. */
export interface ElapseConditions {
  /** True while time does not count; never by default. */
  readonly isPaused?: () => boolean
  /** Ends the wait. */
  readonly isOver: () => boolean
}

/** Makes a clock for the state of one line. */
export const makeLineClock = (): LineClock => {
  let change = Deferred.unsafeMake<void>(FiberId.none)

  const notify = (): void => {
    const before = change
    change = Deferred.unsafeMake<void>(FiberId.none)
    Deferred.unsafeDone(before, Effect.void)
  }

  const until = (isSo: () => boolean): Effect.Effect<void> =>
    Effect.suspend(() => isSo() ? Effect.void : Effect.zipRight(Deferred.await(change), until(isSo)))

  const elapse = (millis: number, conditions: ElapseConditions): Effect.Effect<number> => {
    const { isOver, isPaused = () => false } = conditions
    const passFrom = (progress: number): Effect.Effect<number> =>
      Effect.suspend(() => {
        if (isOver() || progress >= millis) return Effect.succeed(progress)
        if (isPaused()) return Effect.zipRight(Deferred.await(change), passFrom(progress))
        return Effect.flatMap(BusinessTime.now, (from) =>
          Effect.raceFirst(BusinessTime.sleepUntil(from + millis - progress), Deferred.await(change)).pipe(
            Effect.zipRight(BusinessTime.now),
            Effect.flatMap((now) =>
              passFrom(progress + now - from)
            )
          ))
      })
    return passFrom(0)
  }

  return { notify, until, elapse }
}
