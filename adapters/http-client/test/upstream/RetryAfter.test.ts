import { assert, describe, it, vi } from "@effect/vitest"
import { Duration } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { retryAfter } from "../../src/upstream/StatusError.js"

const now = Date.UTC(2026, 10, 20, 12)

const secondsOf = (headers: IncomingHttpHeaders): number | null => {
  const wait = retryAfter(headers, now)
  return wait === null ? null : Duration.toSeconds(wait)
}

const seconds = (text?: string) => secondsOf(text === undefined ? {} : { "retry-after": text })

describe("the Retry-After of a server", () => {
  it("is a number of seconds or a date", () => {
    assert.strictEqual(seconds("12"), 12)
    assert.strictEqual(seconds(" 0.5 "), 0.5)
    assert.strictEqual(seconds("Fri, 20 Nov 2026 12:00:30 GMT"), 30)
    assert.strictEqual(seconds("Fri, 20 Nov 2026 11:00:00 GMT"), 0)
  })

  it("is a date in any of the three HTTP formats, in every time zone", () => {
    for (const zone of ["UTC", "Asia/Kolkata"]) {
      vi.stubEnv("TZ", zone)
      assert.strictEqual(seconds("Friday, 20-Nov-26 12:00:30 GMT"), 30)
      assert.strictEqual(seconds("Fri Nov 20 12:00:30 2026"), 30)
    }
    vi.unstubAllEnvs()
  })

  it("is in milliseconds if the server sends retry-after-ms", () => {
    assert.strictEqual(secondsOf({ "retry-after-ms": "1500", "retry-after": "9" }), 1.5)
    assert.strictEqual(secondsOf({ "retry-after-ms": "0" }), 0)
    assert.strictEqual(secondsOf({ "retry-after-ms": "soon", "retry-after": "9" }), 9)
    assert.strictEqual(secondsOf({ "retry-after-ms": "999999999999" }), 3_600)
  })

  it("is ignored if it is invalid, and at most an hour", () => {
    for (const text of [undefined, "", "soon", "1e9 years", "-5", "5 minutes", "Fri, soon", "Friday"]) {
      assert.isNull(seconds(text))
    }
    assert.strictEqual(seconds("999999999999"), 3_600)
    assert.strictEqual(seconds("Fri, 20 Nov 2099 12:00:00 GMT"), 3_600)
  })
})
