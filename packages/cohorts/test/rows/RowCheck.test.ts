import { assert, describe, it } from "@effect/vitest"
import { parseTransformation, type RejectedReason } from "@trunkline/cohorts"
import { PhoneNumber } from "@trunkline/kernel"
import { Either, FastCheck, Option } from "effect"
import { checkRow } from "../../src/rows/RowCheck.js"
import { compileRowPlan } from "../../src/rows/RowPlan.js"

const planFor = (header: ReadonlyArray<string>, json: object) =>
  Either.getOrThrow(
    Either.flatMap(
      parseTransformation(new TextEncoder().encode(JSON.stringify(json)), null),
      (transformation) => compileRowPlan(transformation, header)
    )
  )

const plan = planFor(["mobile", "id", "name", "due", "lang"], {
  phone_number: { column_name: "mobile" },
  user_identifier: { column_name: "id" },
  app_variables: {
    customer_name: { column_name: "name", required: true },
    due_date: { column_name: "due", transforms: [{ type: "date", output_format: "d MMMM" }] }
  },
  app_overrides: {
    initial_language_name: { column_name: "lang", default: "hi", transforms: [{ type: "format_language_name" }] }
  }
})

const check = (...cells: ReadonlyArray<string>) => checkRow(plan, 7, cells)
const userOf = (...cells: ReadonlyArray<string>) =>
  Option.getOrNull(Option.map(Either.getRight(check(...cells)), ({ user }) => user))
const reasonsOf = (...cells: ReadonlyArray<string>) => Option.getOrNull(Either.getLeft(check(...cells)))

describe("checkRow", () => {
  it("makes a user of a row, with trimmed and transformed cells", () =>
    assert.deepStrictEqual(userOf(" 98765 43210 ", " c-1 ", " Asha ", "2026-03-05", "TA"), {
      row: 7,
      user_phone_number: PhoneNumber.make("+919876543210"),
      user_identifier: "c-1",
      agent_variables: { customer_name: "Asha", due_date: "5 March" },
      app_overrides: { initial_language_name: "Tamil" }
    }))

  it("leaves out empty values, except for those with a default, and the identifier", () =>
    assert.deepStrictEqual(userOf("9876543210", "", "Asha", " ", ""), {
      row: 7,
      user_phone_number: PhoneNumber.make("+919876543210"),
      user_identifier: "+919876543210",
      agent_variables: { customer_name: "Asha" },
      app_overrides: { initial_language_name: "Hindi" }
    }))

  const rejected: ReadonlyArray<readonly [cells: ReadonlyArray<string>, ...reasons: ReadonlyArray<RejectedReason>]> = [
    [["9876543210", "", "Asha", ""], "column_count_mismatch"],
    [["9876543210", "", "Asha", "", "", ""], "column_count_mismatch"],
    [["", "", "Asha", "", ""], "missing_phone_number"],
    [["  ", "", "Asha", "", ""], "missing_phone_number"],
    [["12345", "", "Asha", "", ""], "invalid_phone_number"],
    [["not a number", "", "Asha", "", ""], "invalid_phone_number"],
    [["9.87654E+09", "", "Asha", "", ""], "invalid_phone_number", "phone_scientific_notation"],
    [
      ["9.87654E+09", "", "", "", ""],
      "invalid_phone_number",
      "phone_scientific_notation",
      "missing_required:customer_name"
    ],
    [
      ["", "", "", "tomorrow", ""],
      "missing_phone_number",
      "missing_required:customer_name",
      "transform_failed:due_date"
    ],
    [[], "column_count_mismatch"],
    [["9876543210", "", " ", "", ""], "missing_required:customer_name"],
    [["9876543210", "", "Asha", "tomorrow", ""], "transform_failed:due_date"],
    [["9876543210", "", "Asha", "", "Klingon"], "transform_failed:initial_language_name"],
    [
      ["1", "", "", "tomorrow", "Klingon"],
      "invalid_phone_number",
      "missing_required:customer_name",
      "transform_failed:due_date",
      "transform_failed:initial_language_name"
    ]
  ]
  for (const [cells, ...reasons] of rejected) {
    it(`rejects ${JSON.stringify(cells)} for ${reasons.join(" and ")}`, () =>
      assert.deepStrictEqual(reasonsOf(...cells), reasons))
  }

  it("rejects overrides that no call can use, and names languages as calls do", () => {
    const plan = planFor(["p", "lang", "words"], {
      phone_number: { column_name: "p" },
      app_overrides: {
        initial_language_name: { column_name: "lang" },
        initial_bot_message: { column_name: "words" }
      }
    })
    const outcome = (...cells: ReadonlyArray<string>) =>
      Either.match(checkRow(plan, 1, ["9876543210", ...cells]), {
        onLeft: (reasons) => reasons,
        onRight: ({ user }) => user.app_overrides
      })
    assert.deepStrictEqual(outcome("hi-IN", "Dear {{name}}"), {
      initial_language_name: "Hindi",
      initial_bot_message: "Dear {{name}}"
    })
    assert.deepStrictEqual(outcome("Hindee", "Dear {{}}"), [
      "invalid_value:initial_language_name",
      "invalid_value:initial_bot_message"
    ])
  })

  it("reads cells that are a formula of a text, as spreadsheets write them to keep zeros", () =>
    assert.deepInclude(userOf("=\"9876543218\"", "=\"0012\"", "=\"Asha\"", "", ""), {
      user_phone_number: PhoneNumber.make("+919876543218"),
      user_identifier: "0012",
      agent_variables: { customer_name: "Asha" }
    }))

  it("runs transforms from left to right, stops at an empty text, and limits the length", () => {
    const replacing = (find: string, replace: string) => ({ type: "string_replace", find, replace })
    const one = (transforms: ReadonlyArray<object>, required = true) =>
      Either.match(
        checkRow(
          planFor(["p", "x"], {
            phone_number: { column_name: "p" },
            app_variables: { x: { column_name: "x", required, transforms } }
          }),
          1,
          ["9876543210", "N/A"]
        ),
        { onLeft: (reasons) => reasons, onRight: ({ user }) => user.agent_variables }
      )
    assert.deepStrictEqual(one([replacing("N/A", "b"), replacing("b", "c")]), { x: "c" })
    assert.deepStrictEqual(one([replacing("N/A", ""), { type: "date" }], false), {})
    assert.deepStrictEqual(one([replacing("N/A", ""), { type: "date" }]), ["missing_required:x"])
    assert.deepStrictEqual(one([replacing("N", "x".repeat(1000)), replacing("x", "y".repeat(1000))]), [
      "transform_failed:x"
    ])
  })

  it("reads the phone number after its transforms, and reports those that fail", () => {
    const transformed = planFor(["p"], {
      phone_number: {
        column_name: "p",
        default: "9876543210",
        transforms: [{ type: "string_replace", find: "none", replace: "" }, { type: "indian_currency" }]
      }
    })
    const outcome = (cell: string) =>
      Either.match(checkRow(transformed, 1, [cell]), {
        onLeft: (reasons) => reasons,
        onRight: ({ user }) => user.user_phone_number
      })
    assert.deepStrictEqual(outcome("none"), ["missing_phone_number"])
    assert.deepStrictEqual(outcome("unknown"), ["transform_failed:phone_number"])
    assert.deepStrictEqual(outcome("9876543210"), ["invalid_phone_number"])
  })

  it("accepts identifiers as long as a cell, but not transforms that expand them", () => {
    const grown = planFor(["p", "id"], {
      phone_number: { column_name: "p" },
      user_identifier: {
        column_name: "id",
        transforms: [{ type: "string_replace", find: "+", replace: "x".repeat(300) }]
      }
    })
    const long = "y".repeat(60_000)
    assert.deepStrictEqual(
      Either.getOrThrow(Either.flip(checkRow(grown, 1, ["9876543210", "+"]))),
      ["transform_failed:user_identifier"]
    )
    assert.strictEqual(Either.getOrThrow(checkRow(grown, 1, ["9876543210", long])).identifier, long)
  })

  it("replaces an empty cell by the default, of required columns too, and transforms it", () => {
    const defaulted = planFor(["p", "x"], {
      phone_number: { column_name: "p", default: "98765 43210" },
      app_variables: {
        x: { column_name: "x", required: true, default: "asha", transforms: [{ type: "string_capitalize" }] }
      }
    })
    const user = Either.getOrThrow(checkRow(defaulted, 1, [" ", "\u00a0"])).user
    assert.strictEqual(user.user_phone_number, "+919876543210")
    assert.deepStrictEqual(user.agent_variables, { x: "Asha" })
  })

  it("accepts variables with names of object members", () => {
    const names = ["constructor", "toString", "hasOwnProperty", "prototype"]
    const odd = planFor(["p", ...names], {
      phone_number: { column_name: "p" },
      app_variables: Object.fromEntries(names.map((name) => [name, { column_name: name }]))
    })
    const variables = Either.getOrThrow(checkRow(odd, 1, ["9876543210", ...names])).user.agent_variables
    assert.deepStrictEqual(Object.entries(variables), names.map((name) => [name, name]))
    const none = Either.getOrThrow(checkRow(odd, 1, ["9876543210", "", "", "", ""])).user.agent_variables
    assert.deepStrictEqual(Object.keys(none), [])
  })

  it.prop("makes a user with every value, or returns a reason for each invalid one", [
    FastCheck.tuple(
      FastCheck.constantFrom("9876543210", " +14155552671", "", "12", "9E+9"),
      FastCheck.constantFrom("", "c-1", " c-2 "),
      FastCheck.constantFrom("", "Asha", "\u00a0", " आशा "),
      FastCheck.constantFrom("", "2026-03-05", "soon"),
      FastCheck.constantFrom("", "ta", "Klingon")
    )
  ], ([cells]) => {
    const [phone, id, name, due, lang] = cells.map((cell) => cell.trim())
    const expected = [
      ...(phone === "" ? ["missing_phone_number"] : phone === "12" || phone === "9E+9" ? ["invalid_phone_number"] : []),
      ...(phone === "9E+9" ? ["phone_scientific_notation"] : []),
      ...(name === "" ? ["missing_required:customer_name"] : []),
      ...(due === "soon" ? ["transform_failed:due_date"] : []),
      ...(lang === "Klingon" ? ["transform_failed:initial_language_name"] : [])
    ]
    const checked = check(...cells)
    if (Either.isLeft(checked)) return assert.deepStrictEqual<unknown>(checked.left, expected)
    assert.deepStrictEqual(expected, [])
    const { identifier, user } = checked.right
    assert.strictEqual(identifier, id === "" ? null : id)
    assert.strictEqual(user.user_identifier, id || user.user_phone_number)
    assert.deepStrictEqual<unknown>(user.agent_variables, {
      customer_name: name,
      ...(due === "" ? {} : { due_date: "5 March" })
    })
    assert.deepStrictEqual(user.app_overrides, { initial_language_name: lang === "" ? "Hindi" : "Tamil" })
  })

  describe("of a file of rejected rows", () => {
    const columns = { phone_number: { column_name: "p" }, app_variables: { name: { column_name: "name" } } }
    const outcome = (header: ReadonlyArray<string>, ...cells: ReadonlyArray<string>) =>
      Either.merge(Either.map(checkRow(planFor(header, columns), 1, cells), ({ user }) => user.agent_variables))
    const surplus = "column_count_mismatch"
    const saved = ["p", "name", "", "rejected_reason"]

    for (const header of [saved, [...saved, "", ""]]) {
      const padding = header.slice(saved.length)
      const read = (...cells: ReadonlyArray<string>) => outcome(header, ...cells, ...padding)

      it(`accepts a corrected row under ${JSON.stringify(header)}, though its reason is still there`, () => {
        for (const name of ["a", ""]) {
          const expected = name === "" ? {} : { name }
          assert.deepStrictEqual(read("9876543210", name, "", "invalid_phone_number"), expected)
          assert.deepStrictEqual(read("9876543210", name, "", "", "", surplus), expected)
          assert.deepStrictEqual(read("9876543210", name, "", "", "", "", surplus), expected)
          assert.deepStrictEqual(read("9876543210", name, "", "", "", ""), expected)
        }
        assert.deepStrictEqual(read("9876543210", "a", "", "", surplus), { name: "a" })
      })

      it(`rejects a row as it was under ${JSON.stringify(header)}`, () => {
        assert.deepStrictEqual(read("9876543210", "", "", "", surplus), [surplus])
        assert.deepStrictEqual(read("9876543210", "a", "x", "", "", surplus), [surplus])
        assert.deepStrictEqual(read("9876543210", "a", "", "x", "", surplus), [surplus])
        assert.deepStrictEqual(read("9876543210", "a", "", "", "x", surplus), [surplus])
        assert.deepStrictEqual(read("9876543210", "a", "", "", "x"), [surplus])
        assert.deepStrictEqual(read("", "a", "", "missing_phone_number"), ["missing_phone_number"])
      })
    }

    it("accepts other values in a column rejected_reason of the file's own, and no cells beyond", () => {
      const header = ["p", "name", "rejected_reason"]
      assert.deepStrictEqual(outcome(header, "9876543210", "a", "moved away"), { name: "a" })
      assert.deepStrictEqual(outcome(header, "9876543210", "a", "moved away", "invalid_phone_number"), { name: "a" })
      assert.deepStrictEqual(outcome(header, "9876543210", "a", "moved away", "more"), [surplus])
      assert.deepStrictEqual(outcome(header, "9876543210", "a"), [surplus])
    })
  })

  it("reads numbers without a country code in the country of the transformation", () => {
    const gulf = planFor(["p"], { phone_number: { column_name: "p", country_code: "AE" } })
    const phone = Either.map(checkRow(gulf, 1, ["050 123 4567"]), ({ user }) => user.user_phone_number)
    assert.strictEqual(Either.getOrNull(phone), "+971501234567")
  })
})
