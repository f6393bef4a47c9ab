import { Clock, Data, DateTime, Duration, Effect, Fiber } from "effect"
import { BusinessTime } from "./BusinessTime.js"
import { registerTimer } from "./Timers.js"
import { VirtualLoop } from "./VirtualLoop.js"

/** Defect of a virtual time in which nothing is scheduled and nothing arrives from outside. */
export class VirtualTimeStalled extends Data.TaggedError("VirtualTimeStalled")<{ readonly at: number }> {
  override get message() {
    return `virtual time stalled at ${DateTime.formatIso(DateTime.unsafeMake(this.at))}: `
      + "the effect still waits, but no timer is set and no event arrived from outside"
  }
}

/** Start and stall timeout of virtual time. */
export interface VirtualClockOptions {
  /** The first moment, in milliseconds since 1970 (default 0). */
  readonly start?: number
  /** Real time to wait for outside events when nothing is scheduled (default 2 seconds). */
  readonly stallTimeout?: Duration.DurationInput
}

/**
 * Runs an effect and every fiber it forks in virtual time, which jumps to the next timer as soon as nothing else can run.
 * Effect's Clock and `BusinessTime` both read this time, in whole milliseconds; durations round up.
 *
 * Timers fire one by one, ordered by time and then by registration, so that a run is reproducible. Promises that settle
 * without the outside world take no time. Wrap work that needs the outside world (files, sockets, worker threads) in
 * `BusinessTime.hold`, or time may run ahead of it. When the effect waits although nothing is scheduled, it has
 * `stallTimeout` of real time to hear from outside, and then dies with `VirtualTimeStalled`.
 *
 * Time ends with the effect: timers that daemon fibers still wait for never fire.
 *
 * @example
 * ```ts
 * const elapsed = VirtualClock.run(Effect.timed(Effect.sleep("1 day"))) // returns at once
 * ```
 */
const run = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { stallTimeout = "2 seconds", start = 0 }: VirtualClockOptions = {}
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const loop = new VirtualLoop(start)
      const fiber = yield* Effect.forkDaemon(restore(inTimeOf(loop, effect)))
      fiber.addObserver(() => loop.end())
      const end = Fiber.await(fiber).pipe(Effect.as(false))
      const isStalled = yield* restore(Effect.raceFirst(end, stall(loop, stallTimeout))).pipe(
        Effect.onInterrupt(() => Fiber.interrupt(fiber))
      )
      if (isStalled) {
        yield* Fiber.interruptFork(fiber)
        return yield* Effect.die(new VirtualTimeStalled({ at: loop.now }))
      }
      return yield* Fiber.join(fiber)
    })
  )

/** Virtual time for simulations and tests. */
export const VirtualClock = { run }

const inTimeOf = <A, E, R>(loop: VirtualLoop, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  effect.pipe(
    Effect.provideService(BusinessTime, withTimer(loop, businessTimeOf(loop))),
    Effect.withClock(withTimer(loop, clockOf(loop))),
    Effect.withScheduler(loop)
  )

const withTimer = <A extends object>(loop: VirtualLoop, time: A): A => {
  registerTimer(time, (at, callback) => loop.wakeAt(at, callback))
  return time
}

const sleepUntil = (loop: VirtualLoop, time: () => number): Effect.Effect<void> =>
  Effect.async((resume) => {
    const cancel = loop.wakeAt(time(), () => resume(Effect.void))
    return Effect.sync(cancel)
  })

const clockOf = (loop: VirtualLoop): Clock.Clock => {
  const unsafeCurrentTimeMillis = () => loop.now
  const unsafeCurrentTimeNanos = () => BigInt(loop.now) * 1_000_000n
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis,
    unsafeCurrentTimeNanos,
    currentTimeMillis: Effect.sync(unsafeCurrentTimeMillis),
    currentTimeNanos: Effect.sync(unsafeCurrentTimeNanos),
    sleep: (duration) => sleepUntil(loop, () => loop.now + Duration.toMillis(duration))
  }
}

const businessTimeOf = (loop: VirtualLoop): BusinessTime.Service => ({
  now: Effect.sync(() => loop.now),
  sleepUntil: (at) => Effect.suspend(() => at <= loop.now ? Effect.void : sleepUntil(loop, () => at)),
  hold: (effect) =>
    Effect.acquireUseRelease(Effect.sync(() => loop.hold()), () => effect, () => Effect.sync(() => loop.release()))
})

const wallClock = Clock.make()

/** Completes with true once the loop has been idle for longer than the stall timeout. */
const stall = (loop: VirtualLoop, timeout: Duration.DurationInput): Effect.Effect<boolean> =>
  loop.untilIdle.pipe(
    Effect.zipRight(Effect.raceFirst(
      Effect.as(wallClock.sleep(Duration.decode(timeout)), true),
      Effect.as(loop.untilBusy, false)
    )),
    Effect.repeat({ until: (isStalled) => isStalled })
  )
