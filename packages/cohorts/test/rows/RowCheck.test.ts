import { assert, describe, it } from "@effect/vitest"
import { checkRow, compile, parseTransformation, type RejectedReason, SeenUsers } from "@trunkline/cohorts"
import { PhoneNumber } from "@trunkline/kernel"
import { Either, FastCheck, Option } from "effect"

const planFor = (header: ReadonlyArray<string>, json: object) =>
  Either.getOrThrow(
    Either.flatMap(
      parseTransformation(new TextEncoder().encode(JSON.stringify(json)), null),
      (transformation) => compile(transformation, header)
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
  it("makes a person of a row, with trimmed and transformed cells", () =>
    assert.deepStrictEqual(userOf(" 98765 43210 ", " c-1 ", " Asha ", "2026-03-05", "TA"), {
      row: 7,
      user_phone_number: PhoneNumber.make("+919876543210"),
      user_identifier: "c-1",
      agent_variables: { customer_name: "Asha", due_date: "5 March" },
      app_overrides: { initial_language_name: "Tamil" }
    }))

  it("leaves out empty values, and puts defaults and the phone number in the place of others", () =>
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
    [["9.87654E+09", "", "Asha", "", ""], "invalid_phone_number"],
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

  it("transforms run from left to right, stop at an empty text, and may not blow a cell up", () => {
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

  it("numbers without a country belong to the transformation's", () => {
    const gulf = planFor(["p"], { phone_number: { column_name: "p", country_code: "AE" } })
    const phone = Either.map(checkRow(gulf, 1, ["050 123 4567"]), ({ user }) => user.user_phone_number)
    assert.strictEqual(Either.getOrNull(phone), "+971501234567")
  })
})

describe("SeenUsers", () => {
  const claimAll = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
    const seen = new SeenUsers()
    return rows.map((cells) =>
      Either.match(Either.flatMap(check(...cells), (checked) => seen.claim(checked)), {
        onLeft: (reasons) => reasons.join(";"),
        onRight: () => "valid"
      })
    )
  }

  it("the first row of a number wins, however it is written", () =>
    assert.deepStrictEqual(
      claimAll([["9876543210", "", "A", "", ""], ["+91 98765-43210", "", "B", "", ""]]),
      ["valid", "duplicate_phone_number"]
    ))

  it("the first row of an identifier wins, where the row gives one", () =>
    assert.deepStrictEqual(
      claimAll([
        ["9876543210", "c-1", "A", "", ""],
        ["9876543211", "c-1", "B", "", ""],
        ["9876543210", "c-1", "C", "", ""],
        ["9876543212", "", "D", "", ""],
        ["9876543213", "", "E", "", ""]
      ]),
      ["valid", "duplicate_user_identifier", "duplicate_phone_number;duplicate_user_identifier", "valid", "valid"]
    ))

  it("a default identifier is nobody's own", () => {
    const seen = new SeenUsers()
    const shared = planFor(["p", "id"], {
      phone_number: { column_name: "p" },
      user_identifier: { column_name: "id", default: "guest" }
    })
    for (const phone of ["9876543210", "9876543211"]) {
      const user = Either.flatMap(checkRow(shared, 1, [phone, ""]), (checked) => seen.claim(checked))
      assert.strictEqual(Either.getOrThrow(user).user_identifier, "guest")
    }
  })

  it("a row that is rejected takes nothing from those after it", () =>
    assert.deepStrictEqual(
      claimAll([["9876543210", "c-1", "", "", ""], ["9876543210", "c-1", "B", "", ""], [
        "9876543211",
        "c-1",
        "C",
        "",
        ""
      ], [
        "9876543211",
        "c-2",
        "D",
        "",
        ""
      ]]),
      ["missing_required:customer_name", "valid", "duplicate_user_identifier", "valid"]
    ))

  it.prop(
    "of every number and identifier exactly the first right row is kept",
    [FastCheck.array(FastCheck.tuple(FastCheck.integer({ min: 0, max: 5 }), FastCheck.integer({ min: 0, max: 5 })))],
    ([pairs]) => {
      const outcomes = claimAll(pairs.map(([phone, id]) => [`987654321${phone}`, `c-${id}`, "A", "", ""]))
      const kept = pairs.filter((_, index) => outcomes[index] === "valid")
      assert.lengthOf(new Set(kept.map(([phone]) => phone)), kept.length)
      assert.lengthOf(new Set(kept.map(([, id]) => id)), kept.length)
      pairs.forEach(([phone, id], index) => {
        const before = pairs.slice(0, index).filter((_, earlier) => outcomes[earlier] === "valid")
        const taken = before.some((pair) => pair[0] === phone || pair[1] === id)
        assert.strictEqual(outcomes[index] === "valid", !taken)
      })
    }
  )
})
