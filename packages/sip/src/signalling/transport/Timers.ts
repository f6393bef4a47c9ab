import { type SetTimer, timerOf } from "@trunkline/kernel"
import { Duration, Effect, FiberId, FiberSet, type Scope } from "effect"

/** Calls back after milliseconds of Effect's Clock; the returned function cancels it. */
export type After = (millis: number, callback: () => void) => () => void

/**
 * Makes timers without a fiber for each: a call has several, and nearly all of them are cancelled. Those that are left
 * when the scope closes never fire.
 */
export const makeTimers: Effect.Effect<After, never, Scope.Scope> = Effect.gen(function*() {
  const clock = yield* Effect.clock
  const start = yield* FiberSet.makeRuntime<never>()
  const pending = new Set<() => void>()
  yield* Effect.addFinalizer(() => Effect.sync(() => pending.forEach((cancel) => cancel())))

  const sleeping: SetTimer = (at, callback) => {
    const wait = clock.sleep(Duration.millis(at - clock.unsafeCurrentTimeMillis()))
    const fiber = start(Effect.zipRight(wait, Effect.sync(callback)))
    return () => fiber.unsafeInterruptAsFork(FiberId.none)
  }
  const setTimer = timerOf(clock) ?? sleeping

  return (millis, callback) => {
    const cancel = () => {
      pending.delete(cancel)
      stop()
    }
    const stop = setTimer(clock.unsafeCurrentTimeMillis() + millis, () => {
      pending.delete(cancel)
      callback()
    })
    pending.add(cancel)
    return cancel
  }
})
