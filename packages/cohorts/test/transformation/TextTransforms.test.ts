import { assert, describe, it } from "@effect/vitest"
import { Transform } from "@trunkline/cohorts"
import { FastCheck, Schema } from "effect"
import { apply, table } from "./TransformFixtures.js"

describe("transforms of numbers, dates and texts", () => {
  table("groups digits 2,2,3 and keeps sign and decimals", { type: "indian_currency" }, [
    ["0", "0"],
    ["999", "999"],
    ["1000", "1,000"],
    ["100000", "1,00,000"],
    ["12345678", "1,23,45,678"],
    ["-1234567.50", "-12,34,567.50"],
    ["1,234,567", "12,34,567"],
    ["000", "0"],
    ["0".repeat(65_536), null],
    [`${"0".repeat(65_535)}x`, null],
    ["0012345", "12,345"],
    ["", null],
    ["12 rupees", null],
    ["1.2.3", null],
    [",123", null],
    ["12,34,567", "12,34,567"],
    ["1,00,000.00", "1,00,000.00"],
    ["1,23", null],
    ["12,3456", null],
    ["1.234,50", null],
    ["1,234,50", null],
    ["₹1234567", "₹12,34,567"],
    ["₹ 1,234,567.5", "₹ 12,34,567.5"],
    ["-₹100000", "-₹1,00,000"],
    ["₹-100000", "₹-1,00,000"],
    ["Rs. 100000/-", "Rs. 1,00,000/-"],
    ["rs 5000", "rs 5,000"],
    ["INR 5000", "INR 5,000"],
    ["\u2212100000", "\u22121,00,000"],
    ["+100000", "+1,00,000"],
    ["$5000", null],
    ["--5", null],
    ["(5000)", null],
    ["1E+5", null],
    [".5", null],
    ["5.", null],
    [" ".repeat(65_536), null],
    [`1${",11".repeat(20_000)}`, null],
    [`1.${"1".repeat(60_000)}`, `1.${"1".repeat(60_000)}`],
    ["NaN", null]
  ])

  it.prop(
    "indian_currency changes nothing but commas",
    [FastCheck.bigInt({ min: 0n, max: 10n ** 30n })],
    ([amount]) => {
      const grouped = apply({ type: "indian_currency" }, String(amount))
      assert.strictEqual(grouped?.replaceAll(",", ""), String(amount))
      assert.match(grouped ?? "", /^(\d{1,2},)?(\d{2},)*\d{3}$|^\d{1,3}$/)
    }
  )

  table("reads ISO dates by default and writes yyyy-MM-dd", { type: "date" }, [
    ["2026-01-31", "2026-01-31"],
    ["2026-01-31T23:30:00+05:30", "2026-01-31"],
    ["2026-01-31 09:15", "2026-01-31"],
    ["2026-01-31T18:29:59Z", "2026-01-31"],
    ["2026-01-31T18:30:00Z", "2026-02-01"],
    ["2026-12-31 20:00:00+00", "2027-01-01"],
    ["2026-02-01T00:30:00 +0900", "2026-01-31"],
    ["2026-01-31T10:00:00-11:30", "2026-02-01"],
    ["2026-01-31T10:00:00+24:00", null],
    ["2026-01-31T23:30", "2026-01-31"],
    ["2024-02-29", "2024-02-29"],
    ["2026-02-29", null],
    ["2026-13-01", null],
    ["2026-00-10", null],
    ["2026-01-31T24:00", null],
    ["2026-01-31T09:15:00.123Z", "2026-01-31"],
    ["2026-01-31T09:60", null],
    ["2026-1-31", null],
    ["31/01/2026", null],
    ["45321", null],
    ["yesterday", null]
  ])

  table(
    "reads fields of fixed width",
    { type: "date", input_format: "dd/MM/yyyy", output_format: "d MMMM yyyy" },
    [
      ["05/03/2026", "5 March 2026"],
      ["5/3/2026", null],
      ["31/04/2026", null]
    ]
  )

  table("reads names and short years", {
    type: "date",
    input_format: "d-MMM-yy",
    output_format: "EEEE, dd.MM.yyyy"
  }, [
    ["1-jan-26", "Thursday, 01.01.2026"],
    ["01-JAN-26", "Thursday, 01.01.2026"],
    ["9-Sept-26", "Wednesday, 09.09.2026"],
    ["01-Jan-68", "Sunday, 01.01.2068"],
    ["01-Jan-69", "Wednesday, 01.01.1969"],
    ["29-Feb-26", null],
    ["1-January-26", null],
    ["1-Jan-2026", null],
    ["09-Sep-99", "Thursday, 09.09.1999"],
    ["9-Foo-99", null]
  ])

  table("reads the dates of Indian spreadsheets", { type: "date", input_format: "dd-MMM-yyyy" }, [
    ["05-Mar-2026", "2026-03-05"],
    ["05-SEPT-2026", "2026-09-05"],
    ["05-Mar-26", null]
  ])

  table("reads days and months with or without a zero", { type: "date", input_format: "d/M/yyyy" }, [
    ["5/3/2026", "2026-03-05"],
    ["05/03/2026", "2026-03-05"],
    ["31/9/2026", null],
    ["3/13/2026", null]
  ])

  table("reads and writes times and quoted text", {
    type: "date",
    input_format: "yyyyMMdd'T'HHmmss",
    output_format: "EEE d MMM 'at' H:mm"
  }, [
    ["20260131T070509", "Sat 31 Jan at 7:05"],
    ["20260131T256109", null]
  ])

  it.prop(
    "date reads back what it wrote, in any format that can be parsed",
    [
      FastCheck.date({ min: new Date("1970-01-01"), max: new Date("2068-12-31"), noInvalidDate: true }),
      FastCheck.constantFrom("dd/MM/yyyy", "d.M.yy", "MMMM d, yyyy", "yyyyMMdd", "EEE dd MMM yyyy", "d 'of' MMM yy")
    ],
    ([date, format]) => {
      const iso = date.toISOString().slice(0, 10)
      const written = apply({ type: "date", output_format: format }, iso)
      assert.strictEqual(apply({ type: "date", input_format: format }, written ?? ""), iso)
    }
  )

  it("rejects date formats that are unknown, open or ambiguous", () => {
    const accepts = (format: object) => Schema.is(Transform)({ type: "date", ...format })
    for (const input_format of ["yyyy-MM", "dd/MM/yyyy dd", "YYYY-MM-dd", "dd/MM/yyyy'", "d".repeat(65)]) {
      assert.isFalse(accepts({ input_format }), input_format)
    }
    assert.isTrue(accepts({ input_format: "dd/MM/yyyy", output_format: "MMMM" }))
    assert.isFalse(accepts({ output_format: "QQ" }))
  })

  table("replaces every occurrence, and takes neither side for a pattern", {
    type: "string_replace",
    find: ".",
    replace: "$&"
  }, [["a.b.c", "a$&b$&c"], ["abc", "abc"]])

  table("makes no text longer than 65,536 characters", {
    type: "string_replace",
    find: "a",
    replace: "a".repeat(1000)
  }, [
    ["a".repeat(65), "a".repeat(65_000)],
    ["a".repeat(66), null],
    ["a".repeat(65_536), null],
    ["b".repeat(65_536), "b".repeat(65_536)]
  ])

  table("can take text away", { type: "string_replace", find: "N/A", replace: "" }, [["N/A", ""]])

  table("takes space away", { type: "string_strip" }, [["  a b\t", "a b"], ["", ""]])

  table("raises the first letter and lowers the others", { type: "string_capitalize" }, [
    ["rAVI kumar", "Ravi kumar"],
    ["élan", "Élan"],
    ["", ""],
    ["हिन्दी", "हिन्दी"],
    ["தமிழ் நாடு", "தமிழ் நாடு"],
    ["ആശ", "ആശ"],
    ["ßtraße", "SStraße"],
    ["𐐨𐐀", "𐐀𐐨"]
  ])
})
