import { assert, describe, it } from "@effect/vitest"
import { maskPhone, normalizePhone, PhoneNumber } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Either, FastCheck, Schema } from "effect"
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString
} from "libphonenumber-js/max"
import examples from "libphonenumber-js/mobile/examples"

const normalised = (...raw: Parameters<typeof normalizePhone>) => Either.merge(normalizePhone(...raw))

describe("normalisePhone", () => {
  it("parses an Indian mobile number in every common notation", () => {
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
      "۹۸۷۶۵۴۳۲۱۰",
      "੯੮੭੬੫੪੩੨੧੦",
      "૯૮૭૬૫૪૩૨૧૦",
      "୯୮୭୬୫୪୩୨୧୦",
      "౯౮౭౬౫౪౩౨౧౦",
      "೯೮೭೬೫೪೩೨೧೦",
      "൯൮൭൬൫൪൩൨൧൦",
      "᱙᱘᱗᱖᱕᱔᱓᱒᱑᱐",
      "꯹꯸꯷꯶꯵꯴꯳꯲꯱꯰",
      "９８７６５４３２１０",
      "＋９１ （９８７６５） ４３２１０",
      "98.76.54.32.10",
      "‘9876543210",
      "(+91) 98765 43210",
      "00 91 98765 43210"
    ]
    for (const raw of ways) assert.strictEqual(normalised(raw), "+919876543210", raw)
  })

  it("ignores characters that spreadsheets and chats leave between digits", () => {
    const left = [
      ..."\u00a0\u200b\u200c\u200d\u200e\u200f\u202a\u202c\u2060\u2066\u2069\ufeff\u00ad\u061c\u202f\u2009\u3000\t\r\n",
      ..."\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
    ]
    for (const mark of left) {
      const name = mark.charCodeAt(0).toString(16)
      for (const raw of [`${mark}9876543210`, `98765${mark}43210${mark}`, `+91${mark}98765${mark}43210`]) {
        assert.strictEqual(normalised(raw), "+919876543210", name)
      }
      assert.strictEqual(normalised(`+1${mark}4155552671`), "+14155552671", name)
      assert.strictEqual(normalised(mark), "missing", name)
    }
  })

  it("rejects an Indian number with a digit too few or too many, with and without the country code", () => {
    for (const wrong of ["987654321", "98765432101", "114000000", "11400000011", "6543210"]) {
      for (const raw of [wrong, `+91${wrong}`, `+91 ${wrong}`, `0091${wrong}`, `(+91) ${wrong}`]) {
        assert.strictEqual(normalised(raw), "invalid", raw)
      }
    }
    for (const right of ["9876543210", "1140000001", "18001234567", "2227571234"]) {
      for (const raw of [right, `+91${right}`, `0091${right}`]) assert.strictEqual(normalised(raw), `+91${right}`, raw)
    }
  })

  it("treats one or two zeros after the only point as decimals", () => {
    for (const raw of ["9876543210.0", "9876543210.00", "919876543210.0", "+919876543210.0", "९८७६५४३२१०.०"]) {
      assert.strictEqual(normalised(raw), "+919876543210", raw)
    }
    assert.strictEqual(normalised("98765.00000"), "+919876500000")
    assert.strictEqual(normalised("98765.43.200"), "+919876543200")
    assert.strictEqual(normalised("14155552671.0", "US"), "+14155552671")
    assert.strictEqual(normalised("30123456.0", "DE"), "+4930123456")
    for (const raw of ["987654321.0", "98765432.00", "9876543210.5", "9876543210.000"]) {
      assert.strictEqual(normalised(raw), "invalid", raw)
    }
  })

  it("does not mistake a mobile number that begins with 91 for one with a country code", () =>
    assert.strictEqual(normalised("9123456789"), "+919123456789"))

  it("parses Indian landlines and toll-free numbers", () => {
    assert.strictEqual(normalised("011-2345 6789"), "+911123456789")
    assert.strictEqual(normalised("912223456789"), "+912223456789")
    assert.strictEqual(normalised("(0)22 2345 6789"), "+912223456789")
    assert.strictEqual(normalised("+91 22 2345 6789"), "+912223456789")
    assert.strictEqual(normalised("04842345678"), "+914842345678")
    assert.strictEqual(normalised("1800 123 4567"), "+9118001234567")
    assert.strictEqual(normalised("1860-266-2667"), "+9118602662667")
  })

  it("parses foreign numbers by their country code or the given country", () => {
    assert.strictEqual(normalised("+1 415 555 2671"), "+14155552671")
    assert.strictEqual(normalised("00971 50 123 4567"), "+971501234567")
    assert.strictEqual(normalised("(415) 555-2671", "US"), "+14155552671")
    assert.strictEqual(normalised("1 415 555 2671", "US"), "+14155552671")
    assert.strictEqual(normalised("4930123456", "DE"), "+4930123456")
    assert.strictEqual(normalised("+91 98765 43210", "US"), "+919876543210")
    assert.strictEqual(normalised("0091 98765 43210", "US"), "+919876543210")
    assert.strictEqual(normalised("9876543210", "US"), "invalid")
    assert.strictEqual(normalised("+44 (0)20 7946 0958"), "+442079460958")
  })

  it("keeps a leading 0 that belongs to the number", () => {
    assert.strictEqual(normalised("0331 123456", "IT"), "+390331123456")
    assert.strictEqual(normalised("07 01 23 45 67", "CI"), "+2250701234567")
  })

  it("rejects numbers that cannot be called", () => {
    for (
      const raw of [
        "12345",
        "+12345",
        "abc",
        "98765432101",
        "0000000000",
        "+0919876543210",
        "9876543210 ext 5",
        "9876543210x5",
        "9876543210#5",
        "98765+43210",
        "++919876543210",
        "98765'43210",
        "9876543210/9876543211",
        "9876543210, 9876543211",
        "+91 00 22 2345 6789",
        "00",
        "+",
        "9".repeat(100_000),
        "0".repeat(100_000),
        "9 ".repeat(50_000),
        `${" ".repeat(100_000)}12345`,
        `${"1".repeat(100_000)}e5`,
        `${"'".repeat(100_000)}x`,
        ".0".repeat(50_000)
      ]
    ) {
      assert.strictEqual(normalised(raw), "invalid", raw)
    }
  })

  it("distinguishes a missing number from an invalid one", () => {
    for (const raw of ["", "   ", "'", " - "]) assert.strictEqual(normalised(raw), "missing", JSON.stringify(raw))
  })

  it("rejects numbers in scientific notation", () => {
    for (
      const raw of [
        "9.1987E+11",
        "9.19876543210E+11",
        "9,1987e11",
        "'9.1987E+11",
        "9E9",
        "९.१९८७E+११",
        "9.1987 E+11",
        "\ufeff9.1987e+11"
      ]
    ) {
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
  }, { fastCheck: { numRuns: propertyRuns(2_000) } })

  it.prop(
    "takes any digits with a country code that are of a length which the country knows, or assignable in India, once a trunk prefix is off",
    [
      FastCheck.stringMatching(/^\+[1-9]\d{5,14}$/)
    ],
    ([raw]) => {
      const parsed = parsePhoneNumberFromString(raw)
      const again = parsePhoneNumberFromString(parsed?.number ?? "")
      const isRight = parsed?.countryCallingCode === "91" ? parsed.isValid() : parsed?.isPossible()
      const fits = isRight === true && Schema.is(PhoneNumber)(parsed?.number)
      assert.strictEqual(normalised(raw), fits && again?.number === parsed?.number ? parsed?.number : "invalid")
    },
    { fastCheck: { numRuns: propertyRuns(2_000) } }
  )

  const anyCountry = FastCheck.constantFrom(...getCountries())
  const assigned = FastCheck.tuple(anyCountry, FastCheck.array(FastCheck.nat(9), { maxLength: 3 })).map(
    ([country, digits]) => {
      const example = String(getExampleNumber(country, examples)?.nationalNumber ?? "")
      return { country, national: example.slice(0, example.length - digits.length) + digits.join("") }
    }
  )

  it.prop("agrees with libphonenumber on the numbers of every country", [
    assigned,
    FastCheck.constantFrom("+", "00"),
    FastCheck.constantFrom("", " ", "-", "\u00a0", "\u200e", " (", ") ")
  ], ([{ country, national }, prefix, between]) => {
    const code = getCountryCallingCode(country)
    const parsed = parsePhoneNumberFromString(`+${code}${national}`)
    const again = parsePhoneNumberFromString(parsed?.number ?? "")
    const wanted = parsed?.isPossible() === true && again?.number === parsed.number ? parsed.number : "invalid"
    assert.strictEqual(normalised(`${prefix}${code}${between}${national}`), wanted)
    const local = parsePhoneNumberFromString(national, country)
    if (local?.isValid() === true && !national.startsWith("00")) {
      assert.strictEqual(normalised(`${between}${national}`, country), local.number)
    }
  }, { fastCheck: { numRuns: propertyRuns(1_000) } })

  const written = FastCheck.string({
    unit: FastCheck.constantFrom(..."0019876543+-() .'eE,x\u200b०९９"),
    maxLength: 24
  })

  it.prop("returns E.164 or a reason for any text, and keeps E.164 unchanged", [
    FastCheck.oneof(indian.map((parts) => parts.join("")), written, FastCheck.string({ unit: "binary" })),
    anyCountry,
    anyCountry
  ], ([raw, country, another]) => {
    const once = normalizePhone(raw, country)
    if (Either.isLeft(once)) return assert.include(["missing", "invalid", "scientific_notation"], once.left)
    assert.isTrue(Schema.is(PhoneNumber)(once.right))
    assert.deepStrictEqual(normalizePhone(once.right, another), once)
  }, { fastCheck: { numRuns: propertyRuns(2_000) } })

  it.prop("parses digits of any script with any separators like plain digits", [
    FastCheck.oneof(indian.map((parts) => parts.join("")), FastCheck.stringMatching(/^\+?\d{5,14}$/)),
    FastCheck.constantFrom(0x30, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xff10),
    FastCheck.constantFrom("", " ", "-", "\u00a0", "\u2011", "\u200b", "(", ")")
  ], ([raw, zero, between]) => {
    const digit = (character: string) => character === "+" ? character : String.fromCharCode(zero + Number(character))
    assert.strictEqual(normalised(Array.from(raw, digit).join(between)), normalised(raw))
  }, { fastCheck: { numRuns: propertyRuns(2_000) } })
})

describe("maskPhone", () => {
  it("shows the last four digits only", () => {
    assert.strictEqual(maskPhone("+919876543210"), "******3210")
    assert.strictEqual(maskPhone("12345"), "******")
  })
})

describe("a number in a wrapping", () => {
  for (const text of ["=\"9876543218\"", " =\"+91 98765 43218\" ", "tel:+919876543218", "TEL:98765-43218"]) {
    it(`is read: ${text}`, () => assert.strictEqual(Either.getOrNull(normalizePhone(text)), "+919876543218"))
  }

  for (const text of ["=9876543218*1", "tel:", "=\"\"", "tel:+919876543218;ext=5"]) {
    it(`is refused where there is more or less: ${text}`, () => assert.isTrue(Either.isLeft(normalizePhone(text))))
  }
})
