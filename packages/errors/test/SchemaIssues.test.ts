import { assert, describe, it } from "@effect/vitest"
import { issuesOf, issueType, maxIssues } from "@trunkline/errors"
import { Arbitrary, Either, FastCheck, ParseResult, Schema } from "effect"

const problems = (schema: Schema.Schema.AnyNoContext, value: unknown) =>
  Either.match(Schema.decodeUnknownEither(schema)(value, { errors: "all" }), {
    onLeft: (error) => issuesOf(error, "body").map(({ loc, msg, type }) => `${loc.join(".")} ${type}: ${msg}`),
    onRight: () => []
  })

const Phone = Schema.String.pipe(Schema.pattern(/^\+[1-9]\d{6,14}$/), Schema.brand("Phone"))
const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(5))
const Retry = Schema.Struct({ max: Schema.Int.pipe(Schema.between(1, 10)), wait: Schema.optional(Schema.Number) })
class Campaign extends Schema.Class<Campaign>("Campaign")({ name: Name, retry: Schema.NullOr(Retry) }) {}
const Message = Schema.Union(
  Schema.Struct({ role: Schema.Literal("user"), content: Schema.Union(Schema.String, Schema.Array(Name)) }),
  Schema.Struct({ role: Schema.Literal("tool"), content: Schema.String, id: Schema.String })
)
const Tree: Schema.Schema<Tree> = Schema.Struct({ value: Schema.Int, kids: Schema.Array(Schema.suspend(() => Tree)) })
interface Tree {
  readonly value: number
  readonly kids: ReadonlyArray<Tree>
}
const Slot = Schema.Struct({ start: Schema.Number, end: Schema.Number })
const Ordered = Slot.pipe(
  Schema.filter(({ end, start }) => end > start || { path: ["end"], message: "Must be after start" })
)
const TwiceWrong = Slot.pipe(Schema.filter(() => [{ path: ["end", 0], message: "a" }, "b"]))
const Link = Schema.String.pipe(Schema.filter((text) => URL.canParse(text), issueType("url_parsing")))
const FromText = Schema.transformOrFail(Schema.String, Schema.Number, {
  decode: (text, _, ast) => ParseResult.fail(new ParseResult.Type(ast, text, `Bad: ${text}`)),
  encode: (number) => ParseResult.succeed(String(number))
})

const field = <A, I>(schema: Schema.Schema<A, I>) => Schema.Struct({ f: schema })

const strict = <A, I>(schema: Schema.Schema<A, I>) =>
  schema.annotations({ parseOptions: { onExcessProperty: "error" } })

type Row = readonly [about: string, Schema.Schema.AnyNoContext, value: unknown, expected: ReadonlyArray<string>]

const rows: ReadonlyArray<Row> = [
  ["an absent body", Retry, undefined, ["body missing: This field is required"]],
  ["a body that is no object", Retry, [], ["body object_type: Must be an object"]],
  ["an absent key", Retry, {}, ["body.max missing: This field is required"]],
  ["a number for a string", field(Schema.String), { f: 1 }, ["body.f string_type: Must be a string"]],
  ["null for a string", field(Schema.String), { f: null }, ["body.f string_type: Must be a string"]],
  ["a string for a number", field(Schema.Number), { f: "1" }, ["body.f float_type: Must be a number"]],
  ["a string for an integer", field(Schema.Int), { f: "1" }, ["body.f int_type: Must be a whole number"]],
  ["a fraction for an integer", field(Schema.Int), { f: 1.5 }, ["body.f int_type: Must be a whole number"]],
  ["a fraction for a limited integer", field(Schema.Int.pipe(Schema.between(1, 9))), { f: 1.5 }, [
    "body.f int_type: Must be a whole number"
  ]],
  ["a number for a truth", field(Schema.Boolean), { f: 1 }, ["body.f bool_type: Must be true or false"]],
  ["an object for a list", field(Schema.Array(Schema.String)), { f: {} }, ["body.f list_type: Must be a list"]],
  ["a list for a record", field(Schema.Record({ key: Schema.String, value: Schema.String })), { f: [] }, [
    "body.f object_type: Must be an object"
  ]],
  ["a short string", field(Name), { f: "" }, ["body.f string_too_short: Must have at least 1 character"]],
  ["a long string", field(Name), { f: "abcdef" }, ["body.f string_too_long: Must have at most 5 characters"]],
  ["a string under an exact length", field(Schema.String.pipe(Schema.length(3))), { f: "ab" }, [
    "body.f string_too_short: Must have at least 3 characters"
  ]],
  ["a string over an exact length", field(Schema.String.pipe(Schema.length(3))), { f: "abcd" }, [
    "body.f string_too_long: Must have at most 3 characters"
  ]],
  ["a pattern missed", field(Phone), { f: "12" }, [
    "body.f string_pattern_mismatch: Must match the pattern ^\\+[1-9]\\d{6,14}$"
  ]],
  ["a pattern with its own text", field(Phone.annotations({ message: () => "Must be E.164" })), { f: "12" }, [
    "body.f string_pattern_mismatch: Must be E.164"
  ]],
  ["a description, which is no message", field(Phone.annotations({ description: "A number" })), { f: "12" }, [
    "body.f string_pattern_mismatch: Must match the pattern ^\\+[1-9]\\d{6,14}$"
  ]],
  ["spaces around", field(Schema.Trimmed), { f: " a" }, [
    "body.f string_pattern_mismatch: Must not start or end with spaces"
  ]],
  ["no UUID", field(Schema.UUID), { f: "a" }, ["body.f string_pattern_mismatch: Must be a UUID"]],
  ["a number below", field(Retry.fields.max), { f: 0 }, ["body.f greater_than_equal: Must be at least 1"]],
  ["a number above", field(Retry.fields.max), { f: 11 }, ["body.f less_than_equal: Must be at most 10"]],
  ["a number not above", field(Schema.Positive), { f: 0 }, ["body.f greater_than_equal: Must be more than 0"]],
  ["a number not below", field(Schema.Number.pipe(Schema.lessThan(2))), { f: 2 }, [
    "body.f less_than_equal: Must be less than 2"
  ]],
  ["a negative count", field(Schema.NonNegativeInt), { f: -1 }, ["body.f greater_than_equal: Must be at least 0"]],
  ["limits replaced by the author", field(Schema.Number.pipe(Schema.greaterThan(2, { jsonSchema: {} }))), { f: 1 }, [
    "body.f greater_than_equal: Is too small"
  ]],
  ["too few items", field(Schema.Array(Schema.String).pipe(Schema.minItems(2))), { f: ["a"] }, [
    "body.f too_short: Must have at least 2 items"
  ]],
  ["too many items", field(Schema.Array(Schema.String).pipe(Schema.maxItems(1))), { f: ["a", "b"] }, [
    "body.f too_long: Must have at most 1 item"
  ]],
  ["bad items and too many of them", field(Schema.Array(Schema.String).pipe(Schema.maxItems(1))), { f: ["a", 1] }, [
    "body.f.1 string_type: Must be a string",
    "body.f too_long: Must have at most 1 item"
  ]],
  ["an empty list of at least one", field(Schema.NonEmptyArray(Schema.String)), { f: [] }, [
    "body.f too_short: Must have at least 1 item"
  ]],
  ["a pair of three", field(Schema.Tuple(Schema.String, Schema.String)), { f: ["a", "b", "c"] }, [
    "body.f too_long: Must have at most 2 items"
  ]],
  ["a misspelt word or a list", field(Schema.Union(Schema.Literal("busy", "answer"), Schema.Array(Schema.String))), {
    f: "bussy"
  }, ["body.f enum: Must be \"busy\", \"answer\" or a list; did you mean \"busy\"?"]],
  [
    "a word in place of an object with a field for it",
    Schema.Struct({ action: Schema.Literal("pause", "resume"), note: Schema.optional(Schema.String) }),
    "paus",
    ["body object_type: Must be an object with action \"pause\" or \"resume\"; did you mean {\"action\":\"pause\"}?"]
  ],
  ["an unlisted word", field(Schema.Literal("asc", "desc")), { f: "up" }, ["body.f enum: Must be \"asc\" or \"desc\""]],
  ["an unlisted word where null will do", field(Schema.NullOr(Schema.Literal(8000, 16000))), { f: 5 }, [
    "body.f enum: Must be 8000, 16000 or null"
  ]],
  ["an unlisted word of a TypeScript enum", field(Schema.Enums({ A: "a", B: "b" } as const)), { f: "c" }, [
    "body.f enum: Must be \"a\" or \"b\""
  ]],
  ["an optional of another shape", field(Schema.String), { f: {} }, ["body.f string_type: Must be a string"]],
  ["an optional null of another shape", Schema.Struct({ f: Schema.optional(Schema.NullOr(Schema.Int)) }), { f: "a" }, [
    "body.f int_type: Must be a whole number or null"
  ]],
  ["an optional that breaks its rule", Schema.Struct({ f: Schema.optional(Schema.NullOr(Name)) }), { f: "" }, [
    "body.f string_too_short: Must have at least 1 character"
  ]],
  ["a default that is overridden badly", Schema.Struct({ f: Schema.optionalWith(Name, { default: () => "a" }) }), {
    f: 1
  }, ["body.f string_type: Must be a string"]],
  ["a class", Campaign, { name: "", retry: { max: 0, wait: "1" } }, [
    "body.name string_too_short: Must have at least 1 character",
    "body.retry.max greater_than_equal: Must be at least 1",
    "body.retry.wait float_type: Must be a number"
  ]],
  ["a class in a list", Schema.Array(Campaign), [{ name: "a" }, 3], [
    "body.0.retry missing: This field is required",
    "body.1 object_type: Must be an object"
  ]],
  ["a record", Schema.Record({ key: Schema.String, value: Schema.Int }), { a: 1, b: "c" }, [
    "body.b int_type: Must be a whole number"
  ]],
  ["a key checked twice", Schema.Struct({ a: Schema.Int }, Schema.Record({ key: Schema.String, value: Schema.Int })), {
    a: "b"
  }, ["body.a int_type: Must be a whole number"]],
  ["a union without its tag", Message, { content: "a" }, ["body.role missing: This field is required"]],
  ["a union with an unknown tag", Message, { role: "x" }, ["body.role enum: Must be \"user\" or \"tool\""]],
  ["the member that the tag names", Message, { role: "tool" }, [
    "body.content missing: This field is required",
    "body.id missing: This field is required"
  ]],
  ["a union of shapes", Message, { role: "user", content: 5 }, [
    "body.content string_type: Must be a string or a list"
  ]],
  ["the member whose shape fits", Message, { role: "user", content: ["a", ""] }, [
    "body.content.1 string_too_short: Must have at least 1 character"
  ]],
  ["a union that is no object", Message, "x", ["body object_type: Must be an object"]],
  ["untagged members, the nearest", Schema.Union(field(Schema.String), Schema.Struct({ g: Schema.Int })), { g: "1" }, [
    "body.g int_type: Must be a whole number"
  ]],
  ["a word or an object", Schema.Union(Schema.Literal("auto", "none"), field(Schema.String)), "x", [
    "body enum: Must be \"auto\", \"none\" or an object"
  ]],
  ["a recursive schema", Tree, { value: 1, kids: [{ value: 1, kids: [{ value: "x", kids: 1 }] }] }, [
    "body.kids.0.kids.0.value int_type: Must be a whole number",
    "body.kids.0.kids.0.kids list_type: Must be a list"
  ]],
  ["a filter that names a path", Ordered, {
    start: 2,
    end: 1
  }, ["body.end value_error: Must be after start"]],
  ["a filter that names two", TwiceWrong, {
    start: 2,
    end: 1
  }, ["body.end.0 value_error: a", "body value_error: b"]],
  ["a filter that says nothing", field(Schema.String.pipe(Schema.filter(() => false))), { f: "a" }, [
    "body.f value_error: Is not valid"
  ]],
  ["a filter of ours", field(Link), { f: "a" }, ["body.f url_parsing: Must be an absolute URL"]],
  ["a filter of ours on another shape", field(Link), { f: 1 }, [
    "body.f string_type: Must be a string"
  ]],
  ["a number from text", field(Schema.NumberFromString), { f: "a" }, ["body.f float_type: Must be a number"]],
  ["an integer from text", field(Schema.NumberFromString.pipe(Schema.int())), { f: "a" }, [
    "body.f int_parsing: Must be a whole number"
  ]],
  ["an integer from a fraction as text", field(Schema.NumberFromString.pipe(Schema.int())), { f: "1.5" }, [
    "body.f int_parsing: Must be a whole number"
  ]],
  ["a composed integer from text", field(Schema.compose(Schema.NumberFromString, Schema.Int)), { f: "x" }, [
    "body.f int_parsing: Must be a whole number"
  ]],
  ["a limited integer from text", field(Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 100))), {
    f: "101"
  }, ["body.f less_than_equal: Must be at most 100"]],
  ["a truth from text", field(Schema.BooleanFromString), { f: "yes" }, ["body.f bool_type: Must be true or false"]],
  ["an optional truth from text", Schema.Struct({ f: Schema.optional(Schema.BooleanFromString) }), { f: "yes" }, [
    "body.f bool_type: Must be true or false"
  ]],
  ["a time", field(Schema.DateTimeUtc), { f: "soon" }, [
    "body.f datetime_parsing: Must be a date and time such as 2026-01-31T09:30:00Z"
  ]],
  ["a time or null", field(Schema.NullOr(Schema.Date)), { f: "soon" }, [
    "body.f datetime_parsing: Must be a date and time such as 2026-01-31T09:30:00Z"
  ]],
  ["a time that is a number", field(Schema.DateTimeUtc), { f: 1 }, ["body.f string_type: Must be a string"]],
  ["a URL", field(Schema.URL), { f: "nowhere" }, ["body.f url_parsing: Must be an absolute URL"]],
  ["a transformation's text, which may quote", field(FromText), { f: "secret" }, [
    "body.f float_type: Must be a number"
  ]],
  ["an annotated transformation's text", field(FromText.annotations(issueType("value_error"))), { f: "x" }, [
    "body.f value_error: Bad: x"
  ]],
  ["JSON in text", field(Schema.parseJson(Retry)), { f: "{secret" }, ["body.f value_error: Is not valid"]],
  [
    "a text that stands for all below",
    field(Retry.annotations({ message: () => ({ message: "a", override: true }) })),
    {
      f: { max: 0 }
    },
    ["body.f object_type: a"]
  ],
  ["a field that must not be there", Schema.Struct({ f: Schema.optional(Schema.Never) }), { f: 1 }, [
    "body.f value_error: Is not allowed here"
  ]],
  ["a key that is not known", Retry.annotations({ parseOptions: { onExcessProperty: "error" } }), {
    max: 1,
    maxx: 1,
    x: 1
  }, [
    "body.maxx value_error: is not a known field; did you mean max?",
    "body.x value_error: is not a known field; known are max, wait"
  ]],
  ["unknown keys at every depth beside other issues", strict(Campaign), { nam: "", retry: { max: 0, wiat: 1 } }, [
    "body.nam value_error: is not a known field; did you mean name?",
    "body.name missing: This field is required",
    "body.retry.wiat value_error: is not a known field; did you mean wait?",
    "body.retry.max greater_than_equal: Must be at least 1"
  ]],
  ["an unknown key of the member that the tag names", strict(Message), { role: "tool", content: "", id: "", idd: 1 }, [
    "body.idd value_error: is not a known field; did you mean id?"
  ]],
  ["an unknown key of the member that fits", strict(Schema.Union(Slot, Retry)), { max: 1, wiat: 1 }, [
    "body.wiat value_error: is not a known field; did you mean wait?"
  ]]
]

describe("issuesOf", () => {
  for (const [about, schema, value, expected] of rows) {
    it(`reports ${about}`, () => assert.deepStrictEqual(problems(schema, value), expected))
  }

  it("reports the first hundred issues only", () => {
    assert.lengthOf(problems(Schema.Array(Schema.String), Array.from({ length: 500 }, () => 1)), maxIssues)
  })

  const schema = Schema.Struct({
    campaign: Campaign,
    messages: Schema.Array(Message),
    tree: Schema.optional(Tree),
    at: Schema.NullOr(Schema.DateTimeUtc),
    names: Schema.Record({ key: Schema.String, value: Schema.Union(Name, Retry) }),
    window: Ordered
  })
  const decode = Schema.decodeUnknownEither(schema, { errors: "all" })

  const check = (value: unknown) =>
    Either.match(decode(value), {
      onRight: () => true,
      onLeft: (error) => {
        const issues = issuesOf(error, "query")
        const locations = issues.map(({ loc, type }) => JSON.stringify([loc, type]))
        return issues.every(({ loc, msg }) => loc[0] === "query" && msg.length > 0) &&
          new Set(locations).size === issues.length
      }
    })

  it.prop(
    "reports issues with distinct locations under the prefix for any JSON",
    [FastCheck.jsonValue()],
    ([value]) => check(value)
  )

  const almost = Arbitrary.make(Schema.encodedSchema(schema))
  it.prop("reports issues of bodies with one field replaced", [
    almost,
    FastCheck.constantFrom("campaign", "messages", "tree", "at", "names", "window"),
    FastCheck.jsonValue()
  ], ([body, key, value]) => check({ ...body, [key]: value }))

  it.prop("never repeats the received value", [FastCheck.stringMatching(/^[0-9]{12}$/)], ([secret]) =>
    problems(
      Schema.Struct({ a: Phone, b: Schema.DateTimeUtc, c: Schema.Literal("x"), d: Schema.parseJson(), e: Schema.URL }),
      { a: secret, b: secret, c: secret, d: `{${secret}`, e: secret }
    ).every((text) => !text.includes(secret)))
})
