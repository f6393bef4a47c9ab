import { assert, describe, it } from "@effect/vitest"
import { compile, parseTransformation } from "@trunkline/cohorts"
import { Either } from "effect"

const bytesOf = (json: unknown) => new TextEncoder().encode(typeof json === "string" ? json : JSON.stringify(json))

const phone_number = { column_name: "mobile" }

const read = (json: unknown) => Either.getOrNull(parseTransformation(bytesOf(json), null))

const issuesOf = (json: unknown, declared: ReadonlyArray<string> | null = null) =>
  Either.match(parseTransformation(bytesOf(json), declared), {
    onLeft: ({ issues }) =>
      issues.map(({ loc, type }) => {
        assert.deepStrictEqual(loc.slice(0, 2), ["body", "cohort_transformation_file"])
        return `${loc.slice(2).join(".")} ${type}`
      }),
    onRight: () => []
  })

describe("parseTransformation", () => {
  it("reads the smallest transformation, with every default", () =>
    assert.deepStrictEqual(read({ phone_number }), {
      phone_number: { column_name: "mobile", required: false, transforms: [], country_code: "IN" },
      app_variables: {},
      app_overrides: {}
    }))

  it("reads a full transformation, and leaves out keys that it does not know", () => {
    const name = { column_name: "name", required: true, default: "friend", transforms: [{ type: "string_strip" }] }
    const full = {
      phone_number: { ...phone_number, required: true, transforms: [], country_code: "AE" },
      user_identifier: name,
      app_variables: { customer_name: name },
      app_overrides: { initial_language_name: name, initial_state_name: name, initial_bot_message: name }
    }
    assert.strictEqual(JSON.stringify(read({ ...full, extra: 1 })), JSON.stringify(full))
  })

  const refused: ReadonlyArray<readonly [what: string, json: unknown, ...issues: ReadonlyArray<string>]> = [
    ["no JSON", "{", " json_invalid"],
    ["an empty file", "", " json_invalid"],
    ["a list", [], " object_type"],
    ["null", null, " object_type"],
    ["no phone number", {}, "phone_number missing"],
    ["no column", { phone_number: {} }, "phone_number.column_name missing"],
    ["an empty column", { phone_number: { column_name: "" } }, "phone_number.column_name string_too_short"],
    [
      "an unknown country",
      { phone_number: { ...phone_number, country_code: "XX" } },
      "phone_number.country_code value_error"
    ],
    ["a bad required", { phone_number: { ...phone_number, required: "yes" } }, "phone_number.required bool_type"],
    [
      "a bad default",
      { phone_number, user_identifier: { column_name: "id", default: 1 } },
      "user_identifier.default string_type"
    ],
    ["variables in a list", { phone_number, app_variables: [] }, "app_variables object_type"],
    ["a variable without a map", { phone_number, app_variables: { name: "name" } }, "app_variables.name object_type"],
    [
      "an unknown override",
      { phone_number, app_overrides: { initial_mood: { column_name: "mood" } } },
      "app_overrides.initial_mood value_error"
    ],
    [
      "an unknown transform",
      { phone_number: { ...phone_number, transforms: [{ type: "reverse" }] } },
      "phone_number.transforms.0.type enum"
    ],
    [
      "a replacement of nothing",
      { phone_number: { ...phone_number, transforms: [{ type: "string_replace", find: "", replace: "" }] } },
      "phone_number.transforms.0.find string_too_short"
    ],
    [
      "a date format that does not exist",
      { phone_number: { ...phone_number, transforms: [{ type: "date", input_format: "QQ" }] } },
      "phone_number.transforms.0.input_format value_error"
    ],
    [
      "too many transforms",
      { phone_number: { ...phone_number, transforms: Array(17).fill({ type: "string_strip" }) } },
      "phone_number.transforms too_long"
    ],
    [
      "several mistakes",
      { user_identifier: {}, app_variables: 1 },
      "phone_number missing",
      "user_identifier.column_name missing",
      "app_variables object_type"
    ]
  ]
  for (const [what, json, ...issues] of refused) {
    it(`refuses ${what}`, () => assert.deepStrictEqual(issuesOf(json), issues))
  }

  it("refuses bytes that are not UTF-8", () => {
    const refused = Either.flip(parseTransformation(Uint8Array.of(0x22, 0xff, 0x22), null))
    assert.strictEqual(Either.getOrThrow(refused).issues[0].type, "json_invalid")
  })

  it("refuses variables that the agent does not declare, where it can list them", () => {
    const json = { phone_number, app_variables: { known: phone_number, unknown: phone_number, other: phone_number } }
    assert.deepStrictEqual(issuesOf(json, ["known"]), [
      "app_variables.unknown value_error",
      "app_variables.other value_error"
    ])
    assert.deepStrictEqual(issuesOf(json, ["known", "unknown", "other", "more"]), [])
    assert.deepStrictEqual(issuesOf(json, null), [])
  })
})

describe("compile", () => {
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
    Either.match(compile(transformation, header), {
      onLeft: (invalid) => invalid.issues.map(({ loc, msg }) => [loc.slice(1).join("."), msg]),
      onRight: () => []
    })

  it("finds columns wherever they are, trimmed and in any normal form", () => {
    const plan = Either.getOrThrow(compile(transformation, [" Name ", "id", "extra", "cafe\u0301", "mobile"]))
    assert.deepStrictEqual(
      [plan.phone.index, plan.identifier?.index, plan.variables[0]?.index, plan.overrides[0]?.index, plan.width],
      [4, 1, 0, 3, 5]
    )
  })

  it("names every column that is not there, with its key; letters' case counts", () =>
    assert.deepStrictEqual(issues("mobile", "ID", "name", "caf\u00e9"), [
      ["cohort_transformation_file.user_identifier.column_name", "The file has no column \"id\""],
      ["cohort_transformation_file.app_variables.customer_name.column_name", "The file has no column \"Name\""]
    ]))

  it("refuses headers with empty or repeated names", () =>
    assert.deepStrictEqual(issues("mobile", "id", "Name", "caf\u00e9", "x", " x", "x", " "), [
      ["cohort_file", "Columns 5 and 6 of the header should not have the same name"],
      ["cohort_file", "Columns 5 and 7 of the header should not have the same name"],
      ["cohort_file", "Column 8 of the header should have a name"]
    ]))
})
