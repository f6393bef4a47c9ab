import { assert, describe, it } from "@effect/vitest"
import { maskPhone, normalisePhone, PhoneNumber } from "@trunkline/kernel"
import { Either, FastCheck, Schema } from "effect"
import { parsePhoneNumberFromString } from "libphonenumber-js/max"

const normalised = (...raw: Parameters<typeof normalisePhone>) => Either.merge(normalisePhone(...raw))

describe("normalisePhone", () => {
  it("reads an Indian mobile in every way people write it", () => {
    const ways = [
      "9876543210",
      " 98765 43210 ",
      "98765-43210",
      "(98765) 43210",
      "98765.43210",
      "09876543210",
      "919876543210",
      "0919876543210",
      "+919876543210",
      "+91 (0) 98765 43210",
      "0091 98765 43210",
      "'9876543210",
      "' +91 9876543210",
      "९८७६५४३२१०",
      "+९१ ९८७६५ ४३२१०",
      "௯௮௭௬௫௪௩௨௧௦",
      "৯৮৭৬৫৪৩২১০",
      "۹۸۷۶۵۴۳۲۱۰"
    ]
    for (const raw of ways) assert.strictEqual(normalised(raw), "+919876543210", raw)
  })

  it("does not take a mobile that begins with 91 for one with a country code", () =>
    assert.strictEqual(normalised("9123456789"), "+919123456789"))

  it("reads Indian landlines and toll-free numbers", () => {
    assert.strictEqual(normalised("011-2345 6789"), "+911123456789")
    assert.strictEqual(normalised("912223456789"), "+912223456789")
    assert.strictEqual(normalised("1800 123 4567"), "+9118001234567")
  })

  it("reads foreign numbers by their country code or the given country", () => {
    assert.strictEqual(normalised("+1 415 555 2671"), "+14155552671")
    assert.strictEqual(normalised("00971 50 123 4567"), "+971501234567")
    assert.strictEqual(normalised("(415) 555-2671", "US"), "+14155552671")
    assert.strictEqual(normalised("1 415 555 2671", "US"), "+14155552671")
    assert.strictEqual(normalised("4930123456", "DE"), "+4930123456")
    assert.strictEqual(normalised("+91 98765 43210", "US"), "+919876543210")
  })

  it("refuses what nobody can be called on", () => {
    for (
      const raw of [
        "12345",
        "+12345",
        "abc",
        "98765432101",
        "0000000000",
        "+0919876543210",
        "9876543210 ext 5",
        "98765+43210"
      ]
    ) {
      assert.strictEqual(normalised(raw), "invalid", raw)
    }
  })

  it("tells a missing number from an invalid one", () => {
    for (const raw of ["", "   ", "'", " - "]) assert.strictEqual(normalised(raw), "missing", JSON.stringify(raw))
  })

  it("refuses what a spreadsheet shortened", () => {
    for (const raw of ["9.1987E+11", "9.19876543210E+11", "9,1987e11", "'9.1987E+11", "9E9", "९.१९८७E+११"]) {
      assert.strictEqual(normalised(raw), "scientific_notation", raw)
    }
  })

  const indian = FastCheck.tuple(
    FastCheck.constantFrom("", "0", "91", "+91"),
    FastCheck.constantFrom("6", "7", "8", "9"),
    FastCheck.stringMatching(/^\d{9}$/)
  )

  it.prop("agrees with libphonenumber on Indian mobiles", [indian], ([[prefix, first, rest]]) => {
    const parsed = parsePhoneNumberFromString(prefix + first + rest, "IN")
    assert.strictEqual(normalised(prefix + first + rest), parsed?.isValid() === true ? parsed.number : "invalid")
  }, { fastCheck: { numRuns: 2_000 } })

  it.prop("takes any digits with a country code that are of a length which the country knows", [
    FastCheck.stringMatching(/^\+[1-9]\d{5,14}$/)
  ], ([raw]) => {
    const parsed = parsePhoneNumberFromString(raw)
    assert.strictEqual(
      normalised(raw),
      parsed?.isPossible() === true && Schema.is(PhoneNumber)(parsed.number) ? parsed.number : "invalid"
    )
  }, { fastCheck: { numRuns: 2_000 } })

  it.prop("gives E.164 or a reason, and leaves E.164 as it is", [
    FastCheck.oneof(indian.map((parts) => parts.join("")), FastCheck.string())
  ], ([raw]) => {
    const once = normalisePhone(raw)
    if (Either.isLeft(once)) return
    assert.isTrue(Schema.is(PhoneNumber)(once.right))
    assert.deepStrictEqual(normalisePhone(once.right), once)
  })
})

describe("maskPhone", () => {
  it("shows the last four digits only", () => {
    assert.strictEqual(maskPhone("+919876543210"), "******3210")
    assert.strictEqual(maskPhone("12345"), "******")
  })
})
