import { Effect, type Scope } from "effect"
import { BusinessTime } from "./BusinessTime.js"
import { businessTimerOf } from "./Timers.js"

/**
 * Calls back once for every period of business time, in milliseconds, from now until the scope closes or the returned
 * function is called. Calls that are late are made up for, one after the other. The callback must not throw. Where time can
 * call back by itself, a period needs no fiber.
 *
 * @example
 * ```ts
 * const stop = yield* everyPeriod(20, () => send(nextFrame()))
 * ```
 */
export const everyPeriod = (
  millis: number,
  tick: () => void
): Effect.Effect<() => void, never, Scope.Scope> =>
  Effect.flatMap(BusinessTime, (time) =>
    Effect.clockWith((clock) =>
      Effect.flatMap(time.now, (from) => {
        const timer = businessTimerOf(time, clock)
        let count = 0
        let isOver = false
        let cancel = () => {}
        const stop = (): void => {
          isOver = true
          cancel()
        }
        const tickOnce = (): void => {
          if (!isOver) tick()
        }
        const next = (): void => {
          if (timer !== undefined && !isOver) cancel = timer(from + ++count * millis, tickAndNext)
        }
        const tickAndNext = (): void => {
          tickOnce()
          next()
        }
        const loop = Effect.whileLoop({
          while: () => !isOver,
          body: () => time.sleepUntil(from + ++count * millis),
          step: tickOnce
        })
        const start = timer === undefined ? Effect.asVoid(Effect.forkScoped(loop)) : Effect.sync(next)
        return Effect.as(Effect.zipRight(Effect.addFinalizer(() => Effect.sync(stop)), start), stop)
      })
    ))
