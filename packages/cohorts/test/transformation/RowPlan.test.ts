import { assert, describe, it } from "@effect/vitest"
import { parseTransformation } from "@trunkline/cohorts"
import { Invalid } from "@trunkline/errors"
import { Either, FastCheck, Option } from "effect"
import { compileRowPlan, headerIssues } from "../../src/rows/RowPlan.js"
import { summarizeIssues, urlLocations } from "../../src/transformation/IssueLocations.js"
import { decodeTransformation } from "../../src/transformation/Transformation.js"
import { bytesOf, phone_number } from "./TransformationFixtures.js"

describe("decodeTransformation", () => {
  it("decodes like parseTransformation, at another location of the request", () => {
    const json = { phone_number, app_variables: { name: { column_name: "Name", required: true } } }
    assert.deepStrictEqual(decodeTransformation(json, ["name"]), parseTransformation(bytesOf(json), ["name"]))
    const issues = Either.match(
      decodeTransformation({ ...json, user_identifier: 1, app_overrides: { x: phone_number } }, ["name"]),
      {
        onLeft: (invalid) => invalid.issues.map(({ loc }) => loc.join(".")),
        onRight: () => []
      }
    )
    assert.deepStrictEqual(issues, [
      "body.cohort_transformation.user_identifier",
      "body.cohort_transformation.app_overrides.x"
    ])
    assert.deepStrictEqual(
      Option.map(Either.getLeft(decodeTransformation(json, [])), ({ issues }) => issues.map(({ loc }) => loc)),
      Option.some([["body", "cohort_transformation", "app_variables", "name"]])
    )
  })
})

describe("summarizeIssues", () => {
  const issue = (msg: string, ...keys: ReadonlyArray<string>) =>
    ({ loc: ["body", ...keys], msg, type: "value_error" }) as const

  it("joins the first three issues on one line, with the number of others", () => {
    const one = issue(
      "The file has no column \"Name\"",
      "cohort_transformation",
      "app_variables",
      "name",
      "column_name"
    )
    assert.strictEqual(
      summarizeIssues(new Invalid({ issues: [one] })),
      "The file has no column \"Name\" (cohort_transformation.app_variables.name.column_name)"
    )
    const short = issue("Is\nnot\u2028valid", "x")
    assert.strictEqual(
      summarizeIssues(new Invalid({ issues: [issue("Is wrong"), short, short, short, short] })),
      "Is wrong; Is not valid (x); Is not valid (x); and 2 more"
    )
  })

  it.prop("makes one line of at most 500 characters", [
    FastCheck.array(FastCheck.string({ unit: "grapheme", maxLength: 400 }), { minLength: 1, maxLength: 120 })
  ], ([texts]) => {
    const [first = "", ...rest] = texts
    const summary = summarizeIssues(
      new Invalid({ issues: [issue(first, first), ...rest.map((text) => issue(text, text))] })
    )
    assert.isAtMost(summary.length, 500)
    assert.notMatch(summary, /[\p{Cc}\u2028\u2029]/u)
    assert.notMatch(summary, /\p{Cs}/u)
  })
})

describe("compileRowPlan", () => {
  const transformation = Either.getOrThrow(parseTransformation(
    bytesOf({
      phone_number: { column_name: "mobile" },
      user_identifier: { column_name: "id" },
      app_variables: { customer_name: { column_name: "Name" } },
      app_overrides: { initial_language_name: { column_name: "caf\u00e9" } }
    }),
    null
  ))
  const issues = (...header: ReadonlyArray<string>) =>
    Either.match(compileRowPlan(transformation, header), {
      onLeft: (invalid) => invalid.issues.map(({ loc, msg }) => [loc.slice(1).join("."), msg]),
      onRight: () => []
    })

  it("finds columns in any order, trimmed and in any normal form", () => {
    const plan = Either.getOrThrow(compileRowPlan(transformation, [" Name ", "id", "extra", "cafe\u0301", "mobile"]))
    assert.deepStrictEqual(
      [plan.phone.index, plan.identifier?.index, plan.variables[0]?.index, plan.overrides[0]?.index, plan.width],
      [4, 1, 0, 3, 5]
    )
  })

  it("reports every missing column with its key, and distinguishes case", () =>
    assert.deepStrictEqual(issues("mobile", "ID", "name", "caf\u00e9"), [
      [
        "cohort_transformation_file.user_identifier.column_name",
        "The file has no column \"id\": its columns are mobile, ID, name, caf\u00e9"
      ],
      [
        "cohort_transformation_file.app_variables.customer_name.column_name",
        "The file has no column \"Name\": its columns are mobile, ID, name, caf\u00e9"
      ]
    ]))

  it("repeats no first row with a phone number, which is no header", () => {
    const [[, message = ""] = []] = issues("9876543210", "Asha")
    assert.include(message, "its first row is data")
    assert.notInclude(message, "Asha")
  })

  it("rejects headers with repeated names, and ignores columns without one", () =>
    assert.deepStrictEqual(issues("mobile", "id", "Name", "caf\u00e9", "x", " x", "x", " "), [
      ["cohort_file", "Columns 5 and 6 of the header should not have the same name"],
      ["cohort_file", "Columns 5 and 7 of the header should not have the same name"]
    ]))

  it("reports locations for a file from a URL", () => {
    const invalid = Either.getOrThrow(
      Either.flip(compileRowPlan(transformation, ["mobile", "id", "Name", "id"], urlLocations))
    )
    assert.deepStrictEqual(invalid.issues.map(({ loc }) => loc), [
      ["body", "source", "url"],
      ["body", "cohort_transformation", "app_overrides", "initial_language_name", "column_name"]
    ])
    assert.deepStrictEqual(headerIssues(["a", "a"], urlLocations).map(({ loc }) => loc), [["body", "source", "url"]])
  })

  it("quotes nothing of the header", () => {
    const invalid = Either.getOrThrow(
      Either.flip(compileRowPlan(transformation, ["9876543210", "9876543210", "Asha", ""]))
    )
    assert.notMatch(JSON.stringify(invalid.issues) + summarizeIssues(invalid), /98765|Asha/)
  })
})
