import { Clock, Context, DateTime, Duration, Effect, FiberRef } from "effect"
import { callBackAs, followClock } from "./Alarms.js"

/** The longest single sleep: timers do not notice that the clock was set forward, or that the machine slept. */
const longestSleep = Duration.toMillis("1 minute")

const clockTime = (shift: number): BusinessTime.Service => {
  const now = Effect.map(Clock.currentTimeMillis, (now) => now + shift)
  const sleepFrom = (from: number, at: number): Effect.Effect<void> =>
    at <= from
      ? Effect.void
      : Effect.zipRight(
        Effect.sleep(Math.min(at - from, longestSleep)),
        Effect.flatMap(now, (now) => now < from ? Effect.void : sleepFrom(now, at))
      )
  const time: BusinessTime.Service = {
    now,
    sleepUntil: (at) => Effect.flatMap(now, (now) => sleepFrom(now, at)),
    hold: (effect) => effect
  }
  followClock(time, shift)
  return time
}

/** Uses the time of the running fiber, which is asked so often that looking it up has to be cheap. */
const here = <A, E, R>(use: (time: BusinessTime.Service) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime((fiber) => use(Context.get(fiber.getFiberRef(FiberRef.currentContext), BusinessTime)))

/**
 * The time that calls live in: schedules, windows, dial rates, retry intervals, ringing, talking and the
 * timestamps on records. By default it is Effect's own Clock; the reference server runs it faster than the
 * wall (reference-server, "Two times"), rehearsals and tests run it as fast as they can.
 *
 * Everything technical (leases, timeouts, webhook retries, rate limits, HTTP) uses Effect's Clock directly.
 */
export class BusinessTime extends Context.Reference<BusinessTime>()("@trunkline/kernel/BusinessTime", {
  defaultValue: (): BusinessTime.Service => clockTime(0)
}) {
  /** Effect's Clock, ahead by `shift` milliseconds. It waits for nobody: holding does nothing. */
  static readonly fromClock = (shift: number): BusinessTime.Service => clockTime(shift)
  /** The same time, which tells each time that somebody asks for it or waits for a moment of it, before they are answered. */
  static readonly watched = (time: BusinessTime.Service, watch: BusinessTime.Watch): BusinessTime.Service => {
    const watched: BusinessTime.Service = {
      now: Effect.suspend(() => {
        watch.asked()
        return time.now
      }),
      sleepUntil: (at) =>
        Effect.suspend(() => {
          watch.asked()
          return Effect.acquireUseRelease(
            Effect.sync(() => watch.awaited(at)),
            () => time.sleepUntil(at),
            (forget) => Effect.sync(forget)
          )
        }),
      hold: time.hold
    }
    callBackAs(watched, time)
    return watched
  }
  /** Now, in milliseconds since 1970. */
  static readonly now: Effect.Effect<number> = here((time) => time.now)
  /** Now, as a date. */
  static readonly date: Effect.Effect<DateTime.Utc> = Effect.map(BusinessTime.now, (now) => DateTime.unsafeMake(now))
  /**
   * Waits until the given moment, in milliseconds since 1970; a moment in the past does not wait. That the clock was set
   * forward is noticed within a minute; where it was set back, the wait ends early, so that nobody waits for the time
   * between: whoever waited looks at the clock again.
   */
  static readonly sleepUntil = (at: number): Effect.Effect<void> => here((time) => time.sleepUntil(at))
  /** Waits for a span of business time. */
  static readonly sleep = (duration: Duration.DurationInput): Effect.Effect<void> =>
    here((time) => Effect.flatMap(time.now, (now) => time.sleepUntil(now + Duration.toMillis(duration))))
  /** Runs real work (a model, a database) during which simulated time stands still. */
  static readonly hold = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    here((time) => time.hold(effect))
}

export declare namespace BusinessTime {
  /** What a time that is watched tells. */
  export interface Watch {
    /** Somebody asks for the time, or is about to wait for a moment of it. */
    readonly asked: () => void
    /** Somebody waits for a moment, in milliseconds since 1970; the result is called when they no longer do. */
    readonly awaited: (at: number) => () => void
  }

  /** What a source of business time does. */
  export interface Service {
    /** Now, in milliseconds since 1970. */
    readonly now: Effect.Effect<number>
    /** Waits until a moment, in milliseconds since 1970. */
    readonly sleepUntil: (at: number) => Effect.Effect<void>
    /** Runs real work during which time stands still, where it can. */
    readonly hold: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
}
