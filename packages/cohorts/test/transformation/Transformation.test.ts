import { assert, describe, it } from "@effect/vitest"
import { parseTransformation } from "@trunkline/cohorts"
import { Invalid } from "@trunkline/errors"
import { Either, FastCheck, Option } from "effect"
import { compileRowPlan, headerIssues } from "../../src/rows/RowPlan.js"
import { summarizeIssues, urlLocations } from "../../src/transformation/IssueLocations.js"
import { decodeTransformation } from "../../src/transformation/Transformation.js"

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
  it("parses the smallest transformation, with every default", () =>
    assert.deepStrictEqual(read({ phone_number }), {
      phone_number: { column_name: "mobile", required: true, transforms: [], country_code: "IN" },
      app_variables: {},
      app_overrides: {}
    }))

  it("parses a full transformation, and ignores unknown keys", () => {
    const name = { column_name: "name", required: true, default: "friend", transforms: [{ type: "string_strip" }] }
    const full = {
      phone_number: { ...phone_number, required: true, transforms: [], country_code: "AE" },
      user_identifier: name,
      app_variables: { customer_name: name },
      app_overrides: { initial_language_name: name, initial_state_name: name, initial_bot_message: name }
    }
    assert.strictEqual(JSON.stringify(read({ ...full, extra: 1 })), JSON.stringify(full))
  })

  const invalid: ReadonlyArray<readonly [title: string, json: unknown, ...issues: ReadonlyArray<string>]> = [
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
      "a long column name",
      { phone_number: { column_name: "x".repeat(1001) } },
      "phone_number.column_name string_too_long"
    ],
    [
      "a long default",
      { phone_number: { ...phone_number, default: "x".repeat(65_537) } },
      "phone_number.default string_too_long"
    ],
    [
      "far too many transforms, without checking each",
      { phone_number: { ...phone_number, transforms: Array(100_000).fill(0) } },
      "phone_number.transforms too_long"
    ],
    [
      "more columns than a file may have",
      { phone_number, app_variables: Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`v${index}`, 0])) },
      "app_variables too_long"
    ],
    [
      "variables without a name or with a long one",
      { phone_number, app_variables: { "": phone_number, ["x".repeat(257)]: phone_number } },
      "app_variables. value_error",
      `app_variables.${"x".repeat(256)} value_error`
    ],
    [
      "names that objects cannot hold",
      `{"phone_number":{"column_name":"p"},"app_variables":{"__proto__":{"column_name":"x"}},"app_overrides":{"__proto__":{"column_name":"x"}}}`,
      "app_variables.__proto__ value_error",
      "app_overrides.__proto__ value_error"
    ],
    [
      "names of object members as overrides",
      { phone_number, app_overrides: { constructor: phone_number, toString: phone_number } },
      "app_overrides.constructor value_error",
      "app_overrides.toString value_error"
    ],
    [
      "a bad value and a bad name together",
      { phone_number: {}, app_overrides: { initial_mood: phone_number } },
      "phone_number.column_name missing",
      "app_overrides.initial_mood value_error"
    ],
    [
      "several mistakes",
      { user_identifier: {}, app_variables: 1 },
      "phone_number missing",
      "user_identifier.column_name missing",
      "app_variables object_type"
    ]
  ]
  for (const [title, json, ...issues] of invalid) {
    it(`rejects ${title}`, () => assert.deepStrictEqual(issuesOf(json), issues))
  }

  it("rejects bytes that are not UTF-8", () => {
    const refused = Either.flip(parseTransformation(Uint8Array.of(0x22, 0xff, 0x22), null))
    assert.strictEqual(Either.getOrThrow(refused).issues[0].type, "json_invalid")
  })

  it("accepts as many columns as a file may have", () => {
    const app_variables = Object.fromEntries(Array.from({ length: 511 }, (_, index) => [`v${index}`, phone_number]))
    assert.deepStrictEqual(issuesOf({ phone_number, app_variables }), [])
    assert.deepStrictEqual(issuesOf({ phone_number, user_identifier: phone_number, app_variables }), [
      "app_variables too_long"
    ])
  })

  it("requires the phone number, even if told otherwise", () => {
    const phone = read({ phone_number: { ...phone_number, required: false } })?.phone_number
    assert.isTrue(phone?.required)
  })

  it("accepts a byte order mark, and variables with names of object members", () => {
    const names = ["constructor", "toString", "hasOwnProperty", "prototype"]
    const json = { phone_number, app_variables: Object.fromEntries(names.map((name) => [name, phone_number])) }
    assert.deepStrictEqual(Object.keys(read(`\ufeff${JSON.stringify(json)}`)?.app_variables ?? {}), names)
    assert.deepStrictEqual(Object.keys(read({ phone_number })?.app_variables ?? { none: 1 }), [])
  })

  it("does not change any prototype", () => {
    const hostile = `{"__proto__":{"polluted":1},"phone_number":{"__proto__":{"polluted":1},"column_name":"p"},` +
      `"constructor":{"prototype":{"polluted":1}}}`
    const phone = read(hostile)?.phone_number
    assert.strictEqual(phone?.column_name, "p")
    assert.notProperty({}, "polluted")
    assert.notProperty(phone, "polluted")
  })

  it("reports at most a hundred issues", () => {
    const app_variables = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`v${index}`, 0]))
    assert.lengthOf(issuesOf({ phone_number, app_variables }), 100)
    const fine = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`v${index}`, phone_number]))
    assert.lengthOf(issuesOf({ phone_number, app_variables: fine }, []), 100)
  })

  it.prop("returns a transformation or issues for any JSON", [
    FastCheck.oneof(
      FastCheck.jsonValue(),
      FastCheck.record({
        phone_number: FastCheck.oneof(FastCheck.constant(phone_number), FastCheck.jsonValue()),
        app_variables: FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue()),
        app_overrides: FastCheck.jsonValue()
      }, { requiredKeys: [] })
    )
  ], ([json]) => {
    const issues = issuesOf(json)
    assert.strictEqual(read(json) === null, issues.length > 0)
  })

  it("rejects variables that the agent does not declare, if it can list them", () => {
    const json = { phone_number, app_variables: { known: phone_number, unknown: phone_number, other: phone_number } }
    assert.deepStrictEqual(issuesOf(json, ["known"]), [
      "app_variables.unknown value_error",
      "app_variables.other value_error"
    ])
    assert.deepStrictEqual(issuesOf(json, ["known", "unknown", "other", "more"]), [])
    assert.deepStrictEqual(issuesOf(json, null), [])
  })
})

describe("decodeTransformation", () => {
  it("decodes like parseTransformation, at another location of the request", () => {
    const json = { phone_number, app_variables: { name: { column_name: "Name", required: true } } }
    assert.deepStrictEqual(decodeTransformation(json, ["name"]), parseTransformation(bytesOf(json), ["name"]))
    const issues = (declared: ReadonlyArray<string>, ...root: ReadonlyArray<string>) =>
      Either.match(
        decodeTransformation({ ...json, user_identifier: 1, app_overrides: { x: phone_number } }, declared, root),
        {
          onLeft: (invalid) => invalid.issues.map(({ loc }) => loc.join(".")),
          onRight: () => []
        }
      )
    assert.deepStrictEqual(issues(["name"], "body", "cohort_transformation"), [
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
      ["cohort_transformation_file.user_identifier.column_name", "The file has no column \"id\""],
      ["cohort_transformation_file.app_variables.customer_name.column_name", "The file has no column \"Name\""]
    ]))

  it("rejects headers with empty or repeated names", () =>
    assert.deepStrictEqual(issues("mobile", "id", "Name", "caf\u00e9", "x", " x", "x", " "), [
      ["cohort_file", "Columns 5 and 6 of the header should not have the same name"],
      ["cohort_file", "Columns 5 and 7 of the header should not have the same name"],
      ["cohort_file", "Column 8 of the header should have a name"]
    ]))

  it("reports locations for a file from a URL", () => {
    const invalid = Either.getOrThrow(
      Either.flip(compileRowPlan(transformation, ["mobile", "id", "Name", ""], urlLocations))
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
