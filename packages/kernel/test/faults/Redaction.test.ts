import { assert, describe, it } from "@effect/vitest"
import { redact } from "@trunkline/kernel"

describe("redaction", () => {
  it("leaves the last four digits of phone numbers, however they are written", () => {
    const written = [
      "+919876543210",
      "+91 98765 43210",
      "+91-98765-43210",
      "(098) 7654 3210",
      "9876543210",
      "98765 43210",
      "00919876543210",
      "%2B919876543210",
      "sip:+919876543210;user=phone",
      "to=9876543210,x"
    ]
    for (const number of written) {
      const shown = redact(`Called ${number} twice`)
      assert.notMatch(shown, /98765|7654/, number)
      assert.include(shown, "******3210", number)
    }
  })

  it("leaves nothing of keys, tokens and passwords", () => {
    const seeded = [
      "Authorization: Bearer abc.def.ghi-quiet",
      "Basic cXVpZXQ6cXVpZXQ=",
      "sk_test_main_quiet0123456",
      "sk-proj-quiet4a7d1ed4",
      `{"api_key":"quiet-value"}`,
      "password=quiet",
      "whsec_quietquietquiet",
      "asha.quiet@example.in"
    ]
    for (const text of seeded) assert.notInclude(redact(`It failed: ${text}`), "quiet", text)
  })

  it("leaves the scheme and the host of URLs", () => {
    assert.strictEqual(
      redact("POST https://me:quiet@hooks.example:8443/services/quiet?key=quiet#quiet failed"),
      "POST https://hooks.example:8443/*** failed"
    )
    assert.strictEqual(redact("postgres://user:quiet@db/name"), "postgres://db/***")
    assert.strictEqual(redact("http://127.0.0.1:4318 is away"), "http://127.0.0.1:4318 is away")
  })

  it("keeps ids, dates, small numbers and places in stacks", () => {
    const kept = [
      "attempt 019ad0e5-1234-7000-8000-123456789012",
      "interaction 20261129-01a22539-7af7-7339-b40f-2741ab2e40f6",
      "request 20261129_01a22539-7af7-4339-b40f-123456789012",
      "on 2026-11-29 at 02:36:10",
      "2026-11-29T02:36:10.123Z",
      "took 1.23456789012 s",
      "at run (file:///srv/app/dist/main.js:1234:56)",
      "HTTP 503 after 12345 ms",
      "at 192.168.100.200:4318"
    ]
    for (const text of kept) assert.strictEqual(redact(text), text)
  })

  it("is quick on long texts", () => {
    const text = "1 2 3 ".repeat(50_000) + "a@".repeat(10_000) + "http://".repeat(10_000) + "a1.".repeat(50_000)
    assert.isBelow(redact(text).length, text.length + 1)
  })
})
