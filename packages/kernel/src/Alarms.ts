import type { Clock } from "effect"
import type { BusinessTime } from "./BusinessTime.js"

/** Calls back at a moment, in milliseconds since 1970; the result calls it off. */
export type Alarm = (at: number, ring: () => void) => () => void

/** A time that can call back, without a fiber that sleeps. */
export type TimeWithAlarm = BusinessTime.Service | Clock.Clock

const alarms = new WeakMap<TimeWithAlarm, Alarm>()

/** Notes how a time calls back. */
export const setAlarm = (time: TimeWithAlarm, alarm: Alarm): void => void alarms.set(time, alarm)

/** How a time calls back; undefined where it can only be slept in. */
export const alarmOf = (time: TimeWithAlarm): Alarm | undefined => alarms.get(time)
