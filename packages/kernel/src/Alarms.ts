import { Clock, Context, DefaultServices } from "effect"
import type { BusinessTime } from "./BusinessTime.js"
import { onTimer } from "./Timer.js"

/** Calls back at a moment, in milliseconds since 1970; the result calls it off. */
export type Alarm = (at: number, ring: () => void) => () => void

/** A time that can call back, without a fiber that sleeps. */
export type TimeWithAlarm = BusinessTime.Service | Clock.Clock

const alarms = new WeakMap<TimeWithAlarm, Alarm>()

/** Notes how a time calls back. */
export const setAlarm = (time: TimeWithAlarm, alarm: Alarm): void => void alarms.set(time, alarm)

/** How a time calls back; undefined where it can only be slept in. */
export const alarmOf = (time: TimeWithAlarm): Alarm | undefined => alarms.get(time)

const shifts = new WeakMap<BusinessTime.Service, number>()

/** Notes that a business time is Effect's Clock, whichever a fiber has, ahead by so many milliseconds. */
export const followClock = (time: BusinessTime.Service, shift: number): void => void shifts.set(time, shift)

/** Notes that a business time calls back as another one does. */
export const callBackAs = (time: BusinessTime.Service, other: BusinessTime.Service): void => {
  const [alarm, shift] = [alarms.get(other), shifts.get(other)]
  if (alarm !== undefined) alarms.set(time, alarm)
  if (shift !== undefined) shifts.set(time, shift)
}

/** How a business time calls back for a fiber that has this clock; undefined where it can only be slept in. */
export const businessAlarmOf = (time: BusinessTime.Service, clock: Clock.Clock): Alarm | undefined => {
  const shift = shifts.get(time)
  if (shift === undefined) return alarmOf(time)
  const alarm = alarmOf(clock)
  return alarm && ((at, ring) => alarm(at - shift, ring))
}

const liveClock = Context.get(DefaultServices.liveServices, Clock.Clock)

setAlarm(liveClock, (at, ring) => onTimer(at - liveClock.unsafeCurrentTimeMillis(), ring))
