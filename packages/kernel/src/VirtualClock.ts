import { Clock, Data, DateTime, Duration, Effect, Fiber } from "effect"
import { setAlarm, type TimeWithAlarm } from "./Alarms.js"
import { BusinessTime } from "./BusinessTime.js"
import { VirtualLoop } from "./VirtualLoop.js"

/** The defect of a virtual time in which nothing is due and nothing comes from outside. */
export class VirtualTimeStalled extends Data.TaggedError("VirtualTimeStalled")<{ readonly at: number }> {
  override get message() {
    return `virtual time stalled at ${DateTime.formatIso(DateTime.unsafeMake(this.at))}: `
      + "the effect waits, but nothing is scheduled and nothing came from outside"
  }
}

/** How virtual time begins and when it gives up. */
export interface VirtualClockOptions {
  /** The first moment, in milliseconds since 1970 (default 0). */
  readonly start?: number
  /** Real time to wait for the outside when nothing is due (default 2 seconds). */
  readonly patience?: Duration.DurationInput
}

/**
 * Runs an effect, with every fiber it forks, in a time of its own that leaps to the next wake-up as soon as nothing
 * else can run. Effect's Clock and `BusinessTime` are both this time, in whole milliseconds; spans round up.
 *
 * Wake-ups fire one by one, by their time and then by their registration, so that a run repeats exactly. Promises that
 * settle without the outside world take no time. Work that needs the world (files, sockets, worker threads) belongs
 * in `BusinessTime.hold`, or time may pass it by. When the effect waits though nothing is due, it has `patience` of
 * real time to hear from outside, and then dies of `VirtualTimeStalled`.
 *
 * Time ends with the effect: what daemon fibers still wait for in it never comes.
 */
const run = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { patience = "2 seconds", start = 0 }: VirtualClockOptions = {}
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const loop = new VirtualLoop(start)
      const fiber = yield* Effect.forkDaemon(restore(inTimeOf(loop, effect)))
      fiber.addObserver(() => loop.end())
      const ended = Fiber.await(fiber).pipe(Effect.as(false))
      const stalled = yield* restore(Effect.raceFirst(ended, stall(loop, patience))).pipe(
        Effect.onInterrupt(() => Fiber.interrupt(fiber))
      )
      if (stalled) {
        yield* Fiber.interruptFork(fiber)
        return yield* Effect.die(new VirtualTimeStalled({ at: loop.now }))
      }
      return yield* Fiber.join(fiber)
    })
  )

/** Virtual time for simulations, rehearsals and tests. */
export const VirtualClock = { run }

const inTimeOf = <A, E, R>(loop: VirtualLoop, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  effect.pipe(
    Effect.provideService(BusinessTime, withAlarm(loop, businessTimeOf(loop))),
    Effect.withClock(withAlarm(loop, clockOf(loop))),
    Effect.withScheduler(loop)
  )

const withAlarm = <A extends TimeWithAlarm>(loop: VirtualLoop, time: A): A => {
  setAlarm(time, (at, ring) => loop.wakeAt(at, ring))
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

/** Completes with true once the loop has been idle for longer than patience allows. */
const stall = (loop: VirtualLoop, patience: Duration.DurationInput): Effect.Effect<boolean> =>
  loop.untilIdle.pipe(
    Effect.zipRight(Effect.raceFirst(
      Effect.as(wallClock.sleep(Duration.decode(patience)), true),
      Effect.as(loop.untilBusy, false)
    )),
    Effect.repeat({ until: (stalled) => stalled })
  )
