import { assert, describe, it } from "@effect/vitest"
import { delayAfter, maxTries, outcomeOfTry, type TryOutcome } from "@trunkline/webhooks"
import { FastCheck, Option } from "effect"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const schedule = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

const now = Date.UTC(2026, 8, 1, 12)
const result = { tries: 1, status: 503, retryAfter: undefined, now, random: 0 }
const retryIn = (millis: number): TryOutcome => ({ next: "retry", at: now + millis })

const random = FastCheck.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const tries = FastCheck.integer({ min: 1, max: 12 })

describe("DeliverySchedule", () => {
  it("has a delay after each of nine tries and none after the tenth", () => {
    const waits = Array.from({ length: maxTries + 1 }, (_, index) => Option.getOrNull(delayAfter(index + 1, 0)))
    assert.deepStrictEqual(waits, [...schedule, null, null])
  })

  it.prop("lengthens a delay by less than a fifth with jitter", [tries, random], ([tries, random]) => {
    const wait = schedule[tries - 1]
    const jittered = Option.getOrUndefined(delayAfter(tries, random))
    assert.strictEqual(jittered === undefined, wait === undefined)
    if (wait !== undefined && jittered !== undefined) assert.isTrue(jittered >= wait && jittered <= wait * 1.2)
  })

  it.prop("treats any 2xx as delivered on any try", [FastCheck.integer({ min: 200, max: 299 }), tries], (
    [status, tries]
  ) => {
    assert.deepStrictEqual(outcomeOfTry({ ...result, status, tries }), { next: "delivered", status })
  })

  it("ends delivery after 410", () => {
    assert.deepStrictEqual(outcomeOfTry({ ...result, status: 410 }), { next: "gone" })
  })

  it.each([null, 100, 199, 300, 301, 302, 307, 400, 404, 409, 411, 429, 500, 502, 503, 504, 599])(
    "retries status %s until the last try, then gives up",
    (status) => {
      assert.deepStrictEqual(outcomeOfTry({ ...result, status }), retryIn(5 * second))
      assert.deepStrictEqual(outcomeOfTry({ ...result, status, tries: maxTries - 1 }), retryIn(24 * hour))
      assert.deepStrictEqual(outcomeOfTry({ ...result, status, tries: maxTries }), { next: "dead" })
      assert.deepStrictEqual(outcomeOfTry({ ...result, status, tries: maxTries + 1 }), { next: "dead" })
    }
  )

  it.each([
    ["120", 120 * second],
    [" 120 ", 120 * second],
    ["1", 5 * second],
    ["999999999", 24 * hour],
    ["Tue, 01 Sep 2026 12:10:00 GMT", 10 * minute],
    ["Tue, 01 Sep 2026 11:00:00 GMT", 5 * second],
    ["Tue, 01 Sep 2099 12:00:00 GMT", 24 * hour],
    ["-5", 5 * second],
    ["5 apples", 5 * second],
    ["Tue, 99 Sep 2026 12:10:00 GMT", 5 * second],
    ["", 5 * second]
  ])("a Retry-After of '%s' counts when it is later than the schedule, up to a day", (retryAfter, wait) => {
    assert.deepStrictEqual(outcomeOfTry({ ...result, retryAfter }), retryIn(wait))
  })

  it("ignores Retry-After on the last try", () => {
    assert.deepStrictEqual(outcomeOfTry({ ...result, tries: maxTries, retryAfter: "60" }), { next: "dead" })
  })
})
