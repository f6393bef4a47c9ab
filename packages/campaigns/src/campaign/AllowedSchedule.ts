import { Days, defaultTimeZone, EndTimeOfDay, TimeOfDay, TimeZone, type WeeklyWindow } from "@trunkline/kernel"
import { Schema } from "effect"

/** Hours in which a campaign dials: `[start, end)` on the allowed days. An end before the start means overnight. */
export const AllowedSchedule = Schema.Struct({
  /** Beginning of the hours, as `HH:MM`. */
  allowed_start_time: TimeOfDay,
  /** End of the hours, as `HH:MM`; before the beginning: on the next day. `24:00` is the end of the day. */
  allowed_end_time: EndTimeOfDay,
  /** English names of the days on which the hours begin. */
  allowed_days: Days,
  /** Time zone of the hours, such as `Asia/Kolkata`, the default. */
  timezone: Schema.optionalWith(TimeZone, { default: () => defaultTimeZone })
}).pipe(
  Schema.filter((schedule) =>
    schedule.allowed_start_time === schedule.allowed_end_time
      ? { path: ["allowed_end_time"], message: "Must differ from allowed_start_time; 00:00 to 24:00 is all day" }
      : undefined
  )
)
export type AllowedSchedule = typeof AllowedSchedule.Type

const windows = new WeakMap<AllowedSchedule, WeeklyWindow>()

/** The weekly window of a schedule. Returns the same object each time, because kernel caches computations by window. */
export const dialWindow = (schedule: AllowedSchedule): WeeklyWindow => {
  const cachedWindow = windows.get(schedule)
  if (cachedWindow !== undefined) return cachedWindow
  const window = {
    start: schedule.allowed_start_time,
    end: schedule.allowed_end_time,
    days: schedule.allowed_days,
    timezone: schedule.timezone
  }
  windows.set(schedule, window)
  return window
}
