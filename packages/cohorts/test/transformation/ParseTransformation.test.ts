import { assert, describe, it } from "@effect/vitest"
import { parseTransformation } from "@trunkline/cohorts"
import { Either, FastCheck } from "effect"
import { parseStoredTransformation } from "../../src/transformation/Transformation.js"
import { bytesOf, phone_number } from "./TransformationFixtures.js"

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

  it("parses a full transformation", () => {
    const name = { column_name: "name", required: true, default: "friend", transforms: [{ type: "string_strip" }] }
    const full = {
      phone_number: { ...phone_number, required: true, transforms: [], country_code: "AE" },
      user_identifier: name,
      app_variables: { customer_name: name },
      app_overrides: {
        initial_language_name: { ...name, default: "Hindi" },
        initial_state_name: name,
        initial_bot_message: name
      }
    }
    assert.strictEqual(JSON.stringify(read(full)), JSON.stringify(full))
  })

  it("rejects unknown keys at every depth, with the nearest known one", () => {
    const unknown = {
      phone_number: { ...phone_number, country: "US" },
      app_variables: { name: { column_name: "name", require: true, transforms: [{ type: "date", input_fromat: "" }] } },
      app_overrides: { initial_language: { column_name: "lang" } },
      app_variable: {}
    }
    const msgs = Either.match(parseTransformation(bytesOf(unknown), null), {
      onLeft: ({ issues }) => issues.map(({ loc, msg }) => `${loc.slice(2).join(".")}: ${msg}`),
      onRight: () => []
    })
    assert.includeMembers(msgs, [
      "phone_number.country: is not a known field; did you mean country_code?",
      "app_variables.name.require: is not a known field; did you mean required?",
      "app_variables.name.transforms.0.input_fromat: is not a known field; did you mean input_format?",
      "app_overrides.initial_language: is not a known field; did you mean initial_language_name?",
      "app_variable: is not a known field; did you mean app_variables?"
    ])
    assert.lengthOf(msgs, 5)
  })

  it("ignores the unknown keys of a cohort that was accepted before", () =>
    assert.isTrue(
      Either.isRight(parseStoredTransformation(bytesOf({ phone_number: { ...phone_number, country: "US" } }), null))
    ))

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
    const phone = Either.getOrNull(parseStoredTransformation(bytesOf(hostile), null))?.phone_number
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

describe("the default of an override", () => {
  const parse = (map: object, name = "initial_language_name") =>
    Either.match(
      parseTransformation(
        new TextEncoder().encode(JSON.stringify({
          phone_number: { column_name: "mobile" },
          app_overrides: { [name]: { column_name: "x", ...map } }
        })),
        null
      ),
      { onLeft: ({ issues }) => issues.map(({ loc }) => loc.join(".")), onRight: () => "accepted" }
    )
  const at = (name: string) => [`body.cohort_transformation_file.app_overrides.${name}.default`]

  it("is a language that is known, or a text that can be filled, once its transforms have read it", () => {
    assert.deepStrictEqual(parse({ default: "Hindee" }), at("initial_language_name"))
    assert.deepStrictEqual(parse({ default: "Dear {{name" }, "initial_bot_message"), at("initial_bot_message"))
    assert.deepStrictEqual(
      parse({ default: "Atlantis", transforms: [{ type: "state_language_map" }] }),
      at("initial_language_name")
    )
    assert.strictEqual(parse({ default: "Kerala", transforms: [{ type: "state_language_map" }] }), "accepted")
    assert.strictEqual(parse({ default: "hi" }), "accepted")
  })
})
