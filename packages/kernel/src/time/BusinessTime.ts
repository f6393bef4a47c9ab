import { Clock, Context, DateTime, DefaultServices, Duration, Effect, Exit, FiberRef } from "effect"
import { copyTimer, registerClockOffset, timerOf } from "./Timers.js"

/** The longest single sleep: timers do not notice that the clock was set forward or that the machine was suspended. */
const maxSleep = Duration.toMillis("1 minute")

/**
 * The time of the running fiber's Clock plus an offset. The time is read many times a call, so it takes one step with the
 * clocks that register a timer, which are those of real and of virtual time.
 */
const clockNow = (offset: number): Effect.Effect<number> =>
  Effect.withFiberRuntime((fiber) => {
    const clock = Context.get(fiber.getFiberRef(DefaultServices.currentServices), Clock.Clock)
    return timerOf(clock) === undefined
      ? Effect.map(clock.currentTimeMillis, (now) => now + offset)
      : Exit.succeed(clock.unsafeCurrentTimeMillis() + offset)
  })

const clockTime = (offset: number): BusinessTime.Service => {
  const now = clockNow(offset)
  const sleepFrom = (from: number, at: number): Effect.Effect<void> =>
    at <= from
      ? Effect.void
      : Effect.zipRight(
        Effect.sleep(Math.min(at - from, maxSleep)),
        Effect.flatMap(now, (now) => now < from ? Effect.void : sleepFrom(now, at))
      )
  const time: BusinessTime.Service = {
    now,
    sleepUntil: (at) => Effect.flatMap(now, (now) => sleepFrom(now, at)),
    hold: (effect) => effect
  }
  registerClockOffset(time, offset)
  return time
}

/** Uses the business time of the running fiber. Read very often, so the lookup has to be cheap. */
const withTime = <A, E, R>(use: (time: BusinessTime.Service) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime((fiber) => use(Context.get(fiber.getFiberRef(FiberRef.currentContext), BusinessTime)))

/**
 * The time in which calls happen: schedules, calling windows, dial rates, retry intervals, ringing, talking and the
 * timestamps on records. It is Effect's Clock by default. `AcceleratedTime` runs it at a multiple of real time, and
 * `VirtualClock` runs it as fast as the machine allows, for simulations and tests.
 *
 * Everything technical (leases, timeouts, webhook retries, rate limits, HTTP) uses Effect's Clock directly.
 */
export class BusinessTime extends Context.Reference<BusinessTime>()("@trunkline/kernel/BusinessTime", {
  defaultValue: (): BusinessTime.Service => clockTime(0)
}) {
  /** Effect's Clock plus an offset in milliseconds. `hold` has no effect on it. */
  static readonly fromClock = (offset: number): BusinessTime.Service => clockTime(offset)
  /** The same time, with callbacks before each reading of it and around each wait for a moment of it. */
  static readonly observed = (time: BusinessTime.Service, watch: BusinessTime.Observer): BusinessTime.Service => {
    const watchedService: BusinessTime.Service = {
      now: Effect.suspend(() => {
        watch.onRead()
        return time.now
      }),
      sleepUntil: (at) =>
        Effect.suspend(() => {
          watch.onRead()
          return Effect.acquireUseRelease(
            Effect.sync(() => watch.onWait(at)),
            () => time.sleepUntil(at),
            (exit) => Effect.sync(exit)
          )
        }),
      hold: time.hold
    }
    copyTimer(watchedService, time)
    return watchedService
  }
  /** The same time with another `hold`, for work that is real in one place and takes virtual time in another. */
  static readonly withHold = (time: BusinessTime.Service, hold: BusinessTime.Service["hold"]): BusinessTime.Service => {
    const copy = { ...time, hold }
    copyTimer(copy, time)
    return copy
  }
  /** Now, in milliseconds since 1970. */
  static readonly now: Effect.Effect<number> = withTime((time) => time.now)
  /** Now, as a date. */
  static readonly date: Effect.Effect<DateTime.Utc> = Effect.map(BusinessTime.now, (now) => DateTime.unsafeMake(now))
  /**
   * Waits until a moment, in milliseconds since 1970; returns at once for a moment in the past. A clock that is set
   * forward is noticed within a minute. When the clock is set back, the wait ends early, so check the time again.
   */
  static readonly sleepUntil = (at: number): Effect.Effect<void> => withTime((time) => time.sleepUntil(at))
  /** Waits for a span of business time. */
  static readonly sleep = (duration: Duration.DurationInput): Effect.Effect<void> =>
    withTime((time) => Effect.flatMap(time.now, (now) => time.sleepUntil(now + Duration.toMillis(duration))))
  /** Runs real work, such as a model or a database, while simulated time stands still. */
  static readonly hold = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    withTime((time) => time.hold(effect))
}

export declare namespace BusinessTime {
  /** Callbacks of `BusinessTime.observed`. */
  export interface Observer {
    /** Called before the time is read and before a wait begins. */
    readonly onRead: () => void
    /** Called when a wait for a moment, in milliseconds since 1970, begins; the returned function is called at its end. */
    readonly onWait: (at: number) => () => void
  }

  /** A source of business time. */
  export interface Service {
    /** Now, in milliseconds since 1970. */
    readonly now: Effect.Effect<number>
    /** Waits until a moment, in milliseconds since 1970. */
    readonly sleepUntil: (at: number) => Effect.Effect<void>
    /** Runs real work while time stands still, if this time can. */
    readonly hold: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
}
