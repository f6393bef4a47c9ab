import { Duration, Effect, Fiber } from "effect"
import { type Alarm, alarmOf, businessAlarmOf } from "./Alarms.js"
import { BusinessTime } from "./BusinessTime.js"

/** Runs an effect in a fiber of its own, which is waited for until the alarm rings, and interrupted then. */
const withAlarm = <A, E, R, B, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  { alarm, at, late }: { readonly alarm: Alarm; readonly at: number; readonly late: Effect.Effect<B, E2, R2> }
): Effect.Effect<A | B, E | E2, R | R2> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDaemon(restore(effect)), (fiber) =>
      restore(Effect.async<A | B, E | E2, R2>((resume) => {
        const cancel = alarm(at, () => resume(Effect.zipRight(Fiber.interruptFork(fiber), late)))
        fiber.addObserver((exit) => {
          cancel()
          resume(exit)
        })
        return Effect.suspend(() => {
          cancel()
          return Fiber.interruptFork(fiber)
        })
      })))
  )

/**
 * Runs an effect until a moment of business time, in milliseconds since 1970. Whatever still runs then is left behind and
 * interrupted, without waiting for it to end, and `late` goes on instead. An interruption does not wait either. The
 * effect runs in a fiber of its own, so what it does to fiber refs stays there.
 */
export const leaveAt =
  <B, E2, R2>(at: number, late: Effect.Effect<B, E2, R2>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | B, E | E2, R | R2> =>
    Effect.flatMap(BusinessTime, (time) =>
      Effect.clockWith((clock) => {
        const alarm = businessAlarmOf(time, clock)
        return alarm === undefined
          ? Effect.raceFirst(Effect.disconnect(effect), Effect.zipRight(time.sleepUntil(at), late))
          : withAlarm(effect, { alarm, at, late })
      }))

/** Runs an effect for as long as a span of technical time; what happens then is as with `leaveAt`. */
export const leaveAfter =
  <B, E2, R2>(span: Duration.DurationInput, late: Effect.Effect<B, E2, R2>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | B, E | E2, R | R2> =>
    Effect.clockWith((clock) => {
      const alarm = alarmOf(clock)
      return alarm === undefined
        ? Effect.raceFirst(Effect.disconnect(effect), Effect.zipRight(Effect.sleep(span), late))
        : withAlarm(effect, { alarm, late, at: clock.unsafeCurrentTimeMillis() + Duration.toMillis(span) })
    })
