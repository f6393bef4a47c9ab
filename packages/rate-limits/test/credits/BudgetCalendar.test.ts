import { assert, describe, it } from "@effect/vitest"
import { DateTime, FastCheck } from "effect"
import { calendarOf } from "../../src/credits/KeyBudget.js"

const zone = FastCheck.constantFrom(
  "Asia/Kolkata",
  "UTC",
  "America/New_York",
  "Europe/Paris",
  "Australia/Lord_Howe",
  "America/Sao_Paulo"
)
const moment = FastCheck.integer({ min: Date.UTC(1980, 0, 1), max: Date.UTC(2037, 0, 1) })

describe("a budget calendar", () => {
  it.prop("returns the day in its time zone", [zone, moment], ([timeZone, at]) => {
    const format = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" })
    assert.strictEqual(calendarOf(timeZone).dayOf(at), format.format(at))
  })

  it.prop(
    "ends a day or month when the next one begins",
    [zone, moment, FastCheck.constantFrom("day" as const, "month" as const)],
    ([timeZone, at, period]) => {
      const { dayOf, daysOf, endOf } = calendarOf(timeZone)
      const { from, to } = daysOf(period, at)
      const resets_at = endOf(period, at)
      const day = dayOf(at)
      assert.isTrue(from <= day && day <= to)
      assert.isNotNull(resets_at)
      const end = DateTime.toEpochMillis(resets_at)
      assert.isTrue(end > at && dayOf(end - 1) <= to && dayOf(end) > to)
      assert.strictEqual(from, period === "day" ? day : `${day.slice(0, 7)}-01`)
      if (period === "month") assert.match(dayOf(end), /-01$/)
    }
  )

  it("never ends a total budget", () => {
    const { dayOf, daysOf, endOf } = calendarOf("Asia/Kolkata")
    const { from, to } = daysOf("total", 0)
    assert.isTrue(from <= dayOf(0) && dayOf(Date.UTC(2999, 0, 1)) <= to)
    assert.isNull(endOf("total", 0))
  })
})
