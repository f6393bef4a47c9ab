import { assert, describe, it } from "@effect/vitest"
import { Timestamp } from "@trunkline/kernel"
import { DateTime, FastCheck, Schema } from "effect"
import { issueTypes } from "../IssueTypes.js"

const decode = Schema.decodeSync(Timestamp)
const encode = Schema.encodeSync(Timestamp)

describe("Timestamp", () => {
  it("decodes Z, offsets and neither, and encodes UTC with milliseconds", () => {
    const cases = {
      "2026-02-28T10:00:00Z": "2026-02-28T10:00:00.000Z",
      "2026-02-28t10:00:00z": "2026-02-28T10:00:00.000Z",
      "2026-02-28T10:00:00": "2026-02-28T10:00:00.000Z",
      "2026-02-28T10:00:00+05:30": "2026-02-28T04:30:00.000Z",
      "2026-01-01T00:00:00.5+14:00": "2025-12-31T10:00:00.500Z",
      "2026-02-28T10:00:00.123999-00:00": "2026-02-28T10:00:00.123Z",
      "2024-02-29T23:59:59Z": "2024-02-29T23:59:59.000Z",
      "2000-02-29T00:00:00Z": "2000-02-29T00:00:00.000Z"
    }
    for (const [text, written] of Object.entries(cases)) assert.strictEqual(encode(decode(text)), written, text)
  })

  it("rejects text that is not a date and time by RFC 3339, as datetime_parsing", () => {
    const refused = [
      "2026-02-30T00:00:00Z",
      "2026-02-29T00:00:00Z",
      "1900-02-29T00:00:00Z",
      "2026-04-31T00:00:00Z",
      "2026-00-10T00:00:00Z",
      "2026-13-10T00:00:00Z",
      "2026-01-01T24:00:00Z",
      "2026-01-01T00:60:00Z",
      "2026-12-31T23:59:60Z",
      "2026-01-01T00:00:00+24:00",
      "2026-01-01T00:00:00+0530",
      "2026-01-01T00:00:00 05:30",
      "2026-01-01T00:00:001Z",
      "2026-01-01T00:00Z",
      "2026-01-01",
      "0000-01-01T00:00:00+05:30",
      " 2026-01-01T00:00:00Z",
      "tomorrow",
      ""
    ]
    for (const text of refused) assert.deepStrictEqual(issueTypes(Timestamp, text), ["datetime_parsing"], text)
  })

  it("rejects other types as string_type", () =>
    assert.deepStrictEqual(issueTypes(Timestamp, 1_780_000_000_000), ["string_type"]))

  it.prop("decodes an encoded moment to the same moment", [
    FastCheck.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 })
  ], ([at]) => DateTime.toEpochMillis(decode(encode(DateTime.unsafeMake(at)))) === at)
})
