import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Cron as Croner } from "croner"
import { Either, FastCheck as fc, Option } from "effect"
import { parseCron } from "../../src/rules/Cron.js"

const start = Date.parse("2026-01-01T00:00:00Z")
const hour = 3_600_000

const codeOf = (text: string) =>
  Either.match(parseCron(text, start), { onLeft: ({ code }) => code, onRight: () => "accepted" })

const nextOf = (text: string, after = start) =>
  Either.match(parseCron(text, start), {
    onLeft: ({ code }) => code,
    onRight: ({ next }) => Option.getOrUndefined(Option.map(next(after), (at) => new Date(at).toISOString()))
  })

/** Consecutive occurrences. */
const occurrences = (text: string, count: number): ReadonlyArray<number> => {
  const times: Array<number> = []
  const cron = Either.getOrThrow(parseCron(text, start))
  for (let at: number | undefined = start; at !== undefined && times.length < count;) {
    at = Option.getOrUndefined(cron.next(at))
    if (at !== undefined) times.push(at)
  }
  return times
}

const number = (min: number, max: number) => fc.integer({ min, max }).map(String)

const range = (min: number, max: number) =>
  fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`)

const withStep = (of: fc.Arbitrary<string>, max: number) =>
  fc.tuple(of, fc.option(fc.integer({ min: 1, max }), { nil: undefined })).map(([text, step]) =>
    step === undefined ? text : `${text}/${step}`
  )

const field = (min: number, max: number, names: ReadonlyArray<string> = []) => {
  const value = names.length === 0 ? number(min, max) : fc.oneof(number(min, max), fc.constantFrom(...names))
  const item = fc.oneof(value, withStep(range(min, max), max), withStep(fc.constant("*"), max))
  return fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(","))
}

/** Hours, days, months and weekdays. */
const others = fc.tuple(
  field(0, 23),
  field(1, 31),
  field(1, 12, ["JAN", "feb", "Dec"]),
  field(0, 7, ["MON", "fri", "Sun"])
)

const oneMinute = fc.integer({ min: 0, max: 59 }).chain((minute) =>
  fc.constantFrom(`${minute}`, `${minute},${minute}`, `${minute}-${minute}`, `${minute}-${minute}/60`)
)

const severalMinutes = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 2, maxLength: 5 }).chain((
  minutes
) =>
  fc.constantFrom(minutes.join(","), `${Math.min(...minutes)}-${Math.max(...minutes)}`, "*", "*/30", "*/59", "0-30/30")
)

describe("parseCron", () => {
  for (const text of ["0 9 * * *", "*/60 * * * *", "0,0 * * * *", "0-0 9 * * *", "59 23 31 12 *", "0 9 29 2 *"]) {
    it(`accepts ${text}`, () => assert.strictEqual(codeOf(text), "accepted"))
  }

  for (
    const text of ["0 9 * * MON-FRI", "0 9 * jan-MAR *", "5 */2 1,15 * sun", "0 9 1-31/2 * 0-6/2", "  0\t9  * * 7 "]
  ) {
    it(`accepts names, lists, steps and space: ${JSON.stringify(text)}`, () =>
      assert.strictEqual(codeOf(text), "accepted"))
  }

  for (const text of ["* * * * *", "*/30 * * * *", "0,59 9 * * *", "0-1 9 1 1 *", "*/59 * * * *", "0-59/30 9 * * *"]) {
    it(`rejects ${text} as too frequent`, () => assert.strictEqual(codeOf(text), "CRON_TOO_FREQUENT"))
  }

  const invalid = [
    "",
    " ",
    "0 9 * *",
    "0 0 9 * * *",
    "@daily",
    "@hourly x x x x",
    "0 9 L * *",
    "0 9 15W * *",
    "0 9 * * 5#2",
    "0 9 * * FRIL",
    "0 9 ? * *",
    "0 9 * * ?",
    "60 9 * * *",
    "0 24 * * *",
    "0 9 0 * *",
    "0 9 32 * *",
    "0 9 * 13 *",
    "0 9 * * 8",
    "0/60 * * * *",
    "5/5 * * * *",
    "*/0 * * * *",
    "*/61 * * * *",
    "30-10 9 * * *",
    "0 9,, * * *",
    "0 9- * * *",
    "-1 9 * * *",
    "1.5 9 * * *",
    "MON 9 * * *",
    "0 9 MON * *",
    "0 9 * MON *",
    "0 9 * * JAN",
    "0 9 * * MONTUE",
    "0 9\n* * *",
    "0 9 * * *\n",
    "0 9 * * * # comment",
    "०  9 * * *",
    `0 ${"9,".repeat(200)}9 * * *`
  ]
  for (const text of invalid) {
    it(`rejects ${JSON.stringify(text.slice(0, 40))} as malformed`, () =>
      assert.strictEqual(codeOf(text), "INVALID_CRON"))
  }

  it("rejects a schedule without occurrences", () => {
    assert.strictEqual(codeOf("0 9 30 2 *"), "INVALID_CRON")
    assert.strictEqual(codeOf("0 9 31 4,6,9,11 *"), "INVALID_CRON")
  })

  it("uses Indian time: 09:00 is 03:30 UTC", () => {
    assert.strictEqual(nextOf("0 9 * * *"), "2026-01-01T03:30:00.000Z")
    assert.strictEqual(nextOf("0 0 1 * *"), "2026-01-31T18:30:00.000Z")
    assert.strictEqual(nextOf("0 9 29 2 *"), "2028-02-29T03:30:00.000Z")
  })

  it("matches either day of month or day of week when both are set", () => {
    const days = occurrences("0 9 13 * FRI", 5).map((at) => new Date(at).toISOString().slice(0, 10))
    assert.deepStrictEqual(days, ["2026-01-02", "2026-01-09", "2026-01-13", "2026-01-16", "2026-01-23"])
  })

  it("returns the next occurrence after a time and the latest at or before it", () => {
    const cron = Either.getOrThrow(parseCron("0 9 * * *", start))
    const nine = Date.parse("2026-01-01T03:30:00Z")
    assert.deepStrictEqual(cron.next(nine), Option.some(nine + 24 * hour))
    assert.deepStrictEqual(cron.next(nine - 1), Option.some(nine))
    assert.deepStrictEqual(cron.latest(nine), Option.some(nine))
    assert.deepStrictEqual(cron.latest(nine - 1), Option.some(nine - 24 * hour))
    assert.deepStrictEqual(cron.latest(nine + 500), Option.some(nine))
  })

  it("returns the same occurrences from next and latest", () => {
    for (const at of occurrences("17 */5 1-9 * *", 100)) {
      const cron = Either.getOrThrow(parseCron("17 */5 1-9 * *", start))
      assert.deepStrictEqual(cron.latest(at), Option.some(at))
    }
  })

  it("keeps occurrences of every accepted schedule at least an hour apart, 400 times over", () => {
    fc.assert(
      fc.property(oneMinute, others, (minute, rest) => {
        const text = [minute, ...rest].join(" ")
        fc.pre(codeOf(text) === "accepted")
        const times = occurrences(text, 400)
        assert.isNotEmpty(times)
        times.slice(1).forEach((at, index) => assert.isAtLeast(at - (times[index] ?? 0), hour, text))
      }),
      { numRuns: propertyRuns(40), seed: 7 }
    )
  })

  it("rejects schedules with several minutes, and accepts those with one that occur", () => {
    fc.assert(
      fc.property(severalMinutes, oneMinute, others, (several, one, rest) => {
        const expected = new Croner(["0", ...rest].join(" "), { mode: "5-part" }).nextRun(new Date(start)) === null
          ? "INVALID_CRON"
          : "accepted"
        assert.strictEqual(codeOf([one, ...rest].join(" ")), expected)
        assert.strictEqual(codeOf([several, ...rest].join(" ")), "CRON_TOO_FREQUENT")
      }),
      { numRuns: propertyRuns(300), seed: 7 }
    )
  })
})
