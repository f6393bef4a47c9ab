import { assert, describe, it } from "@effect/vitest"
import {
  type DayName,
  dayNames,
  isOpen,
  lastOpening,
  nextClosing,
  nextOpening,
  TimeZone,
  WeeklyWindow
} from "@trunkline/kernel"
import { DateTime, FastCheck, Schema } from "effect"
import { issueTypes } from "../IssueTypes.js"

const minute = 60_000
const daysAround = 4
const at = (text: string) => DateTime.toEpochMillis(DateTime.unsafeMake(text))

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"] as const
const office: WeeklyWindow = { start: "09:00", end: "18:00", days: weekdays, timezone: "Asia/Kolkata" }
const night: WeeklyWindow = { start: "22:00", end: "02:00", days: ["Friday"], timezone: "Asia/Kolkata" }

describe("isOpen", () => {
  it("is true from the start up to but not including the end, on the days of that zone", () => {
    assert.isFalse(isOpen(office, at("2026-06-01T08:59:59.999+05:30")))
    assert.isTrue(isOpen(office, at("2026-06-01T09:00:00+05:30")))
    assert.isTrue(isOpen(office, at("2026-06-01T17:59:59.999+05:30")))
    assert.isFalse(isOpen(office, at("2026-06-01T18:00:00+05:30")))
    assert.isFalse(isOpen(office, at("2026-06-06T12:00:00+05:30")))
  })

  it("continues overnight into the next day, and belongs to the day on which it starts", () => {
    assert.isTrue(isOpen(night, at("2026-06-05T23:00:00+05:30")))
    assert.isTrue(isOpen(night, at("2026-06-06T01:59:00+05:30")))
    assert.isFalse(isOpen(night, at("2026-06-06T02:00:00+05:30")))
    assert.isFalse(isOpen(night, at("2026-06-05T01:00:00+05:30")))
    assert.isFalse(isOpen(night, at("2026-06-06T22:00:00+05:30")))
  })
})

describe("nextOpening and closesAt", () => {
  it("are the moment itself while open, and while closed", () => {
    const open = at("2026-06-01T09:00:00+05:30")
    assert.strictEqual(nextOpening(office, open), open)
    assert.strictEqual(nextClosing(office, open - 1), open - 1)
  })

  it("skip other days", () => {
    assert.strictEqual(nextOpening(office, at("2026-06-05T18:00:00+05:30")), at("2026-06-08T09:00:00+05:30"))
    assert.strictEqual(nextOpening(night, at("2026-06-06T02:00:00+05:30")), at("2026-06-12T22:00:00+05:30"))
    assert.strictEqual(nextClosing(night, at("2026-06-05T22:00:00+05:30")), at("2026-06-06T02:00:00+05:30"))
  })

  it("open after the gap when clocks skip the start, and not at all when they skip the window", () => {
    const zone = { days: ["Sunday"], timezone: "America/New_York" } as const
    assert.strictEqual(
      nextOpening({ ...zone, start: "02:30", end: "05:00" }, at("2026-03-08T00:00:00-05:00")),
      at("2026-03-08T03:00:00-04:00")
    )
    assert.strictEqual(
      nextOpening({ ...zone, start: "02:10", end: "02:50" }, at("2026-03-08T00:00:00-05:00")),
      at("2026-03-15T02:10:00-04:00")
    )
  })

  it("open both times when an hour repeats", () => {
    const window = { start: "00:30", end: "01:30", days: ["Sunday"], timezone: "America/New_York" } as const
    assert.strictEqual(nextClosing(window, at("2026-11-01T00:30:00-04:00")), at("2026-11-01T01:30:00-04:00"))
    assert.strictEqual(nextOpening(window, at("2026-11-01T01:30:00-04:00")), at("2026-11-01T01:00:00-05:00"))
    assert.strictEqual(nextClosing(window, at("2026-11-01T01:00:00-05:00")), at("2026-11-01T01:30:00-05:00"))
  })

  it("terminate for windows that the schema would reject", () => {
    const never: WeeklyWindow = { ...office, end: office.start }
    assert.strictEqual(nextOpening({ ...never, days: [] }, 0), Number.POSITIVE_INFINITY)
    assert.strictEqual(nextClosing({ ...never, days: dayNames }, 0), Number.POSITIVE_INFINITY)
  })
})

/** Local time of a zone for every minute around a date, according to the platform. */
const readingsAround = (timeZone: string, date: string) => {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23"
  })
  const first = at(`${date}T00:00:00Z`) - daysAround * 1_440 * minute
  return Array.from({ length: daysAround * 2 * 1_440 }, (_, index) => {
    const moment = first + index * minute
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]))
    const today = dayNames.findIndex((name) => name === parts.get("weekday"))
    return {
      moment,
      time: `${parts.get("hour")}:${parts.get("minute")}`,
      today: dayNames[today],
      yesterday: dayNames[(today + 6) % 7]
    }
  })
}

const readsOpen = (
  { days, end, start }: WeeklyWindow,
  { time, today, yesterday }: ReturnType<typeof readingsAround>[number]
) => {
  const has = (day: DayName | undefined) => days.some((named) => named === day)
  return start < end
    ? has(today) && time >= start && time < end
    : (has(today) && time >= start) || (has(yesterday) && time < end)
}

const timeOfDay = FastCheck.tuple(FastCheck.nat(23), FastCheck.nat(59)).map((parts) =>
  parts.map((part) => String(part).padStart(2, "0")).join(":")
)

const windows = FastCheck.record({
  start: FastCheck.oneof(timeOfDay, FastCheck.constantFrom("00:00", "01:30", "02:00", "02:30", "23:59")),
  end: FastCheck.oneof(timeOfDay, FastCheck.constantFrom("00:00", "01:15", "02:15", "03:00", "24:00")),
  days: FastCheck.subarray([...dayNames], { minLength: 1 })
}).filter(({ end, start }) => start !== end)

const changes = [
  ["Asia/Kolkata", "2026-01-01"],
  ["Asia/Kolkata", "1945-10-14"],
  ["America/New_York", "2026-03-08"],
  ["America/New_York", "2026-11-01"],
  ["Europe/London", "2026-03-29"],
  ["Europe/London", "2026-10-25"],
  ["Australia/Lord_Howe", "2026-04-04"],
  ["Australia/Lord_Howe", "2026-10-03"],
  ["Pacific/Apia", "2011-12-30"],
  ["Pacific/Apia", "2020-09-26"],
  ["Pacific/Apia", "2021-04-03"]
] as const

describe("agrees with a walk through every minute", () => {
  for (const [timezone, date] of changes) {
    const readings = readingsAround(timezone, date)
    const end = (readings.at(-1)?.moment ?? 0) + minute
    it.prop(
      `around ${date} in ${timezone}`,
      [windows, FastCheck.nat(readings.length - 1), FastCheck.nat(minute - 1)],
      ([hours, index, millis]) => {
        const window = { ...hours, timezone }
        const from = readings.slice(index)
        const now = (from[0]?.moment ?? 0) + millis
        const firstWhen = (open: boolean) => {
          const match = from.find((reading) => readsOpen(window, reading) === open)
          return match === undefined ? Number.POSITIVE_INFINITY : Math.max(now, match.moment)
        }
        const seen = (moment: number) => moment >= end ? Number.POSITIVE_INFINITY : moment
        assert.strictEqual(isOpen(window, now), firstWhen(true) === now)
        assert.strictEqual(seen(nextOpening(window, now)), firstWhen(true))
        assert.strictEqual(seen(nextClosing(window, now)), firstWhen(false))
      }
    )
  }
})

describe("lastOpening", () => {
  it("is the start of the hours that are open, also overnight and after days without any", () => {
    assert.strictEqual(lastOpening(office, at("2026-06-02T09:00:00+05:30")), at("2026-06-02T09:00:00+05:30"))
    assert.strictEqual(lastOpening(office, at("2026-06-08T17:59:00+05:30")), at("2026-06-08T09:00:00+05:30"))
    assert.strictEqual(lastOpening(night, at("2026-06-06T01:30:00+05:30")), at("2026-06-05T22:00:00+05:30"))
  })

  it("is a week ago for a window that never closes", () => {
    const always: WeeklyWindow = { start: "00:00", end: "24:00", days: dayNames, timezone: "Asia/Kolkata" }
    assert.strictEqual(lastOpening(always, at("2026-06-08T12:00:00Z")), at("2026-06-01T12:00:00Z"))
  })
})

describe("a window that ends at 24:00", () => {
  const timezone = "Asia/Kolkata"
  const at = (time: string) => Date.parse(`${time}+05:30`)

  it("lasts until midnight, as one that ends at 00:00 does", () => {
    for (const end of ["24:00", "00:00"]) {
      const evening = Schema.decodeSync(WeeklyWindow)({ start: "18:00", end, days: ["Monday"], timezone })
      assert.isTrue(isOpen(evening, at("2026-01-05T23:59:59.999")), end)
      assert.isFalse(isOpen(evening, at("2026-01-06T00:00:00")), end)
      assert.strictEqual(nextClosing(evening, at("2026-01-05T18:00:00")), at("2026-01-06T00:00:00"), end)
      assert.strictEqual(nextOpening(evening, at("2026-01-06T00:00:00")), at("2026-01-12T18:00:00"), end)
    }
  })

  it("never closes from 00:00 on every day", () => {
    const always = Schema.decodeSync(WeeklyWindow)({ start: "00:00", end: "24:00", days: dayNames, timezone })
    for (const time of ["23:59:30", "23:59:59.999", "00:00:00", "12:00:00"]) {
      const moment = at(`2026-01-05T${time}`)
      assert.isTrue(isOpen(always, moment), time)
      assert.strictEqual(nextOpening(always, moment), moment, time)
      assert.strictEqual(nextClosing(always, moment), Number.POSITIVE_INFINITY, time)
    }
  })

  it("is a whole day from 00:00 on, on its days only", () => {
    const weekend = Schema.decodeSync(WeeklyWindow)({
      start: "00:00",
      end: "24:00",
      days: ["Saturday", "Sunday"],
      timezone
    })
    assert.strictEqual(nextOpening(weekend, at("2026-01-05T00:00:00")), at("2026-01-10T00:00:00"))
    assert.strictEqual(nextClosing(weekend, at("2026-01-10T00:00:00")), at("2026-01-12T00:00:00"))
  })
})

describe("WeeklyWindow", () => {
  it("defaults to Asia/Kolkata", () => {
    const { timezone, ...rest } = office
    assert.deepStrictEqual(Schema.decodeSync(WeeklyWindow)(rest), { ...rest, timezone })
  })

  it("rejects invalid times, days and zones, and an end that equals the start", () => {
    const check = (changes: object) => issueTypes(WeeklyWindow, { ...office, ...changes })
    for (const time of ["24:01", "25:00", "9:00", "09:60", "09:00:00", ""]) {
      assert.deepStrictEqual(check({ end: time }), ["end string_pattern_mismatch"], time)
    }
    assert.deepStrictEqual(check({ start: "24:00" }), ["start string_pattern_mismatch"])
    assert.deepStrictEqual(check({ days: [] }), ["days too_short"])
    assert.deepStrictEqual(check({ days: ["monday"] }), ["days 0 enum"])
    assert.deepStrictEqual(check({ days: ["Monday", "Monday"] }), ["days value_error"])
    assert.deepStrictEqual(check({ timezone: "IST" }), ["timezone value_error"])
    assert.deepStrictEqual(check({ end: office.start }), ["value_error"])
  })
})

describe("TimeZone", () => {
  const isTimeZone = Schema.is(TimeZone)

  it("accepts names of the IANA database", () => {
    for (const name of ["Asia/Kolkata", "Asia/Calcutta", "America/Argentina/Buenos_Aires", "UTC", "Etc/GMT+5", "EST"]) {
      assert.isTrue(isTimeZone(name), name)
    }
  })

  it("rejects offsets, abbreviations and unknown names", () => {
    for (
      const name of [
        "IST",
        "PST",
        "ist",
        "+05:30",
        "-0800",
        "UTC+5",
        "GMT+5",
        "SystemV/PST8",
        "Mars/Olympus",
        " Asia/Kolkata",
        ""
      ]
    ) {
      assert.isFalse(isTimeZone(name), name)
    }
  })
})
