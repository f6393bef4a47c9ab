import { Duration, Effect, Exit, Fiber, Runtime, RuntimeFlags } from "effect"
import { BusinessTime } from "./BusinessTime.js"
import { businessTimerOf, timerOf } from "./Timers.js"

/** Starts an effect at once in a separate fiber, independent of its parent. Its first steps run on the caller's stack. */
export type StartFiber<R = never> = <A, E>(effect: Effect.Effect<A, E, R>) => Fiber.RuntimeFiber<A, E>

/** Makes a starter of fibers that inherit the services and fiber refs of this one. */
export const fiberStarter = <R = never>(): Effect.Effect<StartFiber<R>, never, R> =>
  Effect.map(Effect.runtime<R>(), (runtime) => (effect) => Runtime.runFork(runtime)(effect))

/** Registers a listener, which is called at most once. Returns a function that removes it. */
export type Listen<A> = (listener: (signal: A) => void) => () => void

/**
 * Runs an effect until a signal. The signal carries the next effect, which continues at once; the first one is interrupted in
 * the background.
 *
 * The effect runs in a separate fiber with a copy of the fiber refs. Its first steps run on the caller's stack, so an effect
 * that does not wait registers no listener.
 */
export const interruptOn = <A, E, R, B, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  listen: Listen<Effect.Effect<B, E2, R2>>
): Effect.Effect<A | B, E | E2, R | R2> =>
  Effect.flatMap(
    Effect.context<R>(),
    (context) =>
      Effect.withFiberRuntime((parent, { runtimeFlags }) =>
        Effect.uninterruptible(Effect.suspend(() => {
          const runtime = Runtime.make({ context, fiberRefs: parent.getFiberRefs(), runtimeFlags })
          const fiber = Runtime.runFork(runtime)(effect)
          const firstExit = fiber.unsafePoll()
          if (firstExit !== null) return firstExit
          const wait = Effect.async<A | B, E | E2, R2>((resume) => {
            const cancel = listen((next) => resume(Effect.zipRight(Fiber.interruptFork(fiber), next)))
            fiber.addObserver((exit) => {
              cancel()
              resume(exit)
            })
            return Effect.suspend(() => {
              cancel()
              return Fiber.interruptFork(fiber)
            })
          })
          return RuntimeFlags.interruption(runtimeFlags) ? Effect.interruptible(wait) : wait
        }))
      )
  )

/** `interruptOn` for clocks without timers: a fiber sleeps meanwhile. */
const interruptAfter = <A, E, R, B, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  sleep: Effect.Effect<void>,
  onTimeout: Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E | E2, R | R2> =>
  Effect.flatten(Effect.raceFirst(
    Effect.map(Effect.disconnect(effect), (value): Effect.Effect<A | B, E2, R2> => Effect.succeed(value)),
    Effect.map(sleep, (): Effect.Effect<A | B, E2, R2> => onTimeout)
  ))

/**
 * Runs an effect until a moment of business time, in milliseconds since 1970. If it still runs then, it is interrupted,
 * and `onTimeout` continues at once, without waiting for the effect's finalizers. An interruption does not wait for them either.
 *
 * The effect runs in a separate fiber, so its changes to fiber refs are not visible outside. An effect that is an `Exit`,
 * such as an immediate result of a driver, needs no fiber and no timer.
 *
 * @example
 * ```ts
 * const answered = leg.answered.pipe(timeoutAt(ringsUntil, Effect.succeed("no_answer" as const)))
 * ```
 */
export const timeoutAt =
  <B, E2, R2>(at: number, onTimeout: Effect.Effect<B, E2, R2>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | B, E | E2, R | R2> =>
    Exit.isExit(effect) ? effect : Effect.flatMap(BusinessTime, (time) =>
      Effect.clockWith((clock) => {
        const timer = businessTimerOf(time, clock)
        return timer === undefined
          ? interruptAfter(effect, time.sleepUntil(at), onTimeout)
          : interruptOn(effect, (interrupt) => timer(at, () => interrupt(onTimeout)))
      }))

/** Runs an effect for at most a span of Effect's Clock; otherwise as `timeoutAt`. */
export const timeoutAfter =
  <B, E2, R2>(span: Duration.DurationInput, onTimeout: Effect.Effect<B, E2, R2>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | B, E | E2, R | R2> =>
    Exit.isExit(effect) ? effect : Effect.clockWith((clock) => {
      const timer = timerOf(clock)
      return timer === undefined
        ? interruptAfter(effect, Effect.sleep(span), onTimeout)
        : interruptOn(
          effect,
          (interrupt) => timer(clock.unsafeCurrentTimeMillis() + Duration.toMillis(span), () => interrupt(onTimeout))
        )
    })
