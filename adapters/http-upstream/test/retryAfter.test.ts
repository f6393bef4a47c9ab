import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { retryAfter } from "../src/failures/RetryAfter.js"

const now = Date.UTC(2026, 10, 20, 12)

const seconds = (text?: string): number | null => {
  const wait = retryAfter(text === undefined ? {} : { "retry-after": text }, now)
  return wait === null ? null : Duration.toSeconds(wait)
}

describe("what a server asks to be left alone for", () => {
  it("is a number of seconds or a date", () => {
    assert.strictEqual(seconds("12"), 12)
    assert.strictEqual(seconds(" 0.5 "), 0.5)
    assert.strictEqual(seconds("Fri, 20 Nov 2026 12:00:30 GMT"), 30)
    assert.strictEqual(seconds("Fri, 20 Nov 2026 11:00:00 GMT"), 0)
  })

  it("is not known where nothing sensible is said, and never more than an hour", () => {
    for (const text of [undefined, "", "soon", "1e9 years"]) assert.isNull(seconds(text))
    assert.strictEqual(seconds("999999999999"), 3_600)
    assert.strictEqual(seconds("Fri, 20 Nov 2099 12:00:00 GMT"), 3_600)
  })
})
