import { FastCheck } from "effect"

/** A satisfiable JSON Schema. */
type Schema = Readonly<Record<string, unknown>>

/** Builds a schema of `if`, `then` and `else`. */
export const conditionalSchema = (...schemas: ReadonlyArray<Schema>): Schema =>
  Object.fromEntries(schemas.map((schema, index) => [["if", "then", "else"][index], schema]))

const { array, boolean, constant, constantFrom, double, integer, nat, oneof, option, tuple, uniqueArray } = FastCheck

const patterns = [
  "^[A-Z]{3}-\\d{2,4}$",
  "^\\+91[6-9]\\d{9}$",
  "^(?:red|green|blue)(?: (?:light|dark))?$",
  "^[^\\s@]+@[^\\s@]+\\.[a-z]{2,}$",
  "\\d{3}",
  "^\\p{Lu}\\p{L}*$",
  "^(?=.*[A-Z])(?=.*\\d).{8,20}$",
  "^.{4}$",
  "^[\\u0900-\\u097f]+$",
  "^(\\w)x\\w$",
  ""
]
const formats = [
  "date",
  "date-time",
  "time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uri",
  "uri-reference",
  "uri-template",
  "uuid",
  "regex",
  "json-pointer",
  "relative-json-pointer",
  "nobody-knows"
]

const withoutNulls = (fields: Schema): Schema =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null))

const strings = oneof(
  tuple(nat(8), nat(8)).map(([least, more]): Schema => ({ type: "string", minLength: least, maxLength: least + more })),
  constantFrom(...patterns).map((pattern): Schema => ({ type: "string", pattern })),
  constantFrom(...formats).map((format): Schema => ({ type: "string", format }))
)

const numbers = oneof(
  tuple(integer({ min: -1_000, max: 1_000 }), nat(50)).map(([least, more]): Schema => ({
    type: "integer",
    minimum: least,
    maximum: least + more
  })),
  tuple(double({ min: -100, max: 100, noNaN: true }), double({ min: 0.001, max: 10, noNaN: true })).map(
    ([least, more]): Schema => ({ type: "number", exclusiveMinimum: least, exclusiveMaximum: least + more })
  ),
  tuple(constantFrom(0.01, 0.1, 0.25, 3, 7, 1e-7), integer({ min: -100, max: 100 })).map((
    [multipleOf, least]
  ): Schema => ({
    type: "number",
    multipleOf,
    minimum: least,
    maximum: least + 10
  })),
  integer({ min: -50, max: 50 }).map((exclusiveMinimum): Schema => ({
    type: "integer",
    exclusiveMinimum,
    multipleOf: 2.5
  })),
  integer({ min: -50, max: 50 }).map((maximum): Schema => ({ type: "number", maximum, multipleOf: 250 }))
)

const literals = oneof(
  constant<Schema>({ type: "boolean" }),
  constant<Schema>({ type: "null" }),
  uniqueArray(oneof(integer(), FastCheck.string({ maxLength: 5 })), { minLength: 1, maxLength: 5 }).map(
    (values): Schema => ({ enum: values })
  ),
  FastCheck.json({ maxDepth: 2 }).map((value): Schema => ({ const: JSON.parse(value) }))
)

const names = uniqueArray(constantFrom("city", "amount", "from", "when", "is_open", "kind", "x-1", "__proto__", "to"), {
  maxLength: 5
})

const objectsOf = (inner: FastCheck.Arbitrary<Schema>) =>
  tuple(names, array(inner, { minLength: 5, maxLength: 5 }), nat(), boolean(), option(nat(3))).map(
    ([keys, schemas, chosen, isClosed, more]): Schema => {
      const required = keys.filter((_, index) => ((chosen >> index) & 1) === 1)
      return withoutNulls({
        type: "object",
        properties: Object.fromEntries(keys.map((name, index) => [name, schemas[index]])),
        required,
        additionalProperties: isClosed ? false : null,
        minProperties: more === null ? null : isClosed ? Math.min(keys.length, more) : more
      })
    }
  )

const arraysOf = (inner: FastCheck.Arbitrary<Schema>) =>
  oneof(
    tuple(inner, nat(4), nat(4)).map(([items, minItems, more]): Schema => ({
      type: "array",
      items,
      minItems,
      maxItems: minItems + more
    })),
    tuple(array(inner, { minLength: 1, maxLength: 3 }), nat(3)).map(([prefixItems, minItems]): Schema => ({
      type: "array",
      prefixItems,
      items: false,
      minItems: Math.min(minItems, prefixItems.length)
    })),
    nat(8).map((minItems): Schema => ({
      type: "array",
      items: { type: "integer", minimum: 1, maximum: 8 },
      minItems,
      uniqueItems: true
    })),
    tuple(inner, nat(2)).map(([contains, minContains]): Schema => ({ type: "array", contains, minContains }))
  )

const variantOf = (tag: string, schema: Schema): Schema => ({
  type: "object",
  properties: { tag: { const: tag }, value: schema },
  required: ["tag", "value"]
})

const branchesOf = (inner: FastCheck.Arbitrary<Schema>) =>
  oneof(
    array(inner, { minLength: 1, maxLength: 3 }).map((anyOf): Schema => ({ anyOf })),
    tuple(inner, inner).map(([a, b]): Schema => ({ oneOf: [variantOf("a", a), variantOf("b", b)] })),
    tuple(inner, inner).map(([a, b]): Schema => ({
      allOf: [
        { type: "object", properties: { a }, required: ["a"] },
        { properties: { b }, required: ["b"] },
        { minProperties: 3 }
      ]
    })),
    tuple(inner, inner).map(([a, b]): Schema => ({
      type: "object",
      properties: { kind: { enum: ["a", "b"] } },
      required: ["kind"],
      ...conditionalSchema(
        { properties: { kind: { const: "a" } } },
        { properties: { a }, required: ["a"] },
        { properties: { b }, required: ["b"] }
      )
    })),
    tuple(inner, inner).map(([a, b]): Schema => ({
      type: "object",
      properties: { a },
      required: ["a"],
      dependentRequired: { a: ["b"] },
      dependentSchemas: { b: { properties: { c: b }, required: ["c"] } }
    })),
    tuple(inner, FastCheck.json()).map(([schema, value]): Schema => ({
      ...schema,
      default: JSON.parse(value),
      examples: [1, "x"]
    })),
    inner.map((value): Schema => ({
      type: "object",
      patternProperties: { "^v_[a-z]{2}$": value },
      additionalProperties: false,
      minProperties: 2
    })),
    constantFrom<Schema>(
      { type: ["null", "integer", "string"] },
      { not: { type: "string" } },
      { type: "integer", minimum: 1, maximum: 3, not: { enum: [1, 2] } },
      { $ref: "#/$defs/list" },
      { $ref: "#/$defs/tree" },
      { allOf: [{ $ref: "#/$defs/tree" }], description: "A tree" },
      {},
      {
        type: "object",
        propertyNames: { pattern: "^[A-Z]{2,3}$" },
        minProperties: 2,
        additionalProperties: { type: "integer" }
      }
    )
  )

const $defs = {
  list: {
    type: "object",
    properties: { head: { type: "integer" }, tail: { $ref: "#/$defs/list" } },
    required: ["head"]
  },
  tree: {
    anyOf: [
      {
        type: "object",
        properties: { left: { $ref: "#/$defs/tree" }, right: { $ref: "#/$defs/tree" } },
        required: ["left", "right"],
        additionalProperties: false
      },
      { type: "array", items: { $ref: "#/$defs/tree" } },
      { type: "number" }
    ]
  }
}

const inner = FastCheck.letrec<{ readonly schema: Schema }>((tie) => ({
  schema: oneof(
    { depthSize: "small", withCrossShrink: true },
    strings,
    numbers,
    literals,
    objectsOf(tie("schema")),
    arraysOf(tie("schema")),
    branchesOf(tie("schema"))
  )
})).schema

/** Generates satisfiable JSON Schemas of every kind. */
export const arbitrarySchema: FastCheck.Arbitrary<Schema> = inner.map((schema) => ({ ...schema, $defs }))

/** Generates invalid JSON Schemas, as careless or hostile callers may send them. */
export const arbitraryInvalidSchema: FastCheck.Arbitrary<Schema> = FastCheck.dictionary(
  constantFrom(
    ..."type enum const anyOf oneOf allOf not if then else $ref properties required items minItems pattern".split(" "),
    ..."minimum multipleOf uniqueItems contains format minLength additionalProperties dependentSchemas $defs".split(" ")
  ),
  oneof(
    FastCheck.json({ maxDepth: 3 }).map((text): unknown => JSON.parse(text)),
    constantFrom<unknown>(
      "#",
      "#/properties/a",
      "object",
      ["string"],
      [{ $ref: "#" }],
      { a: { $ref: "#" } },
      "(",
      -1,
      1e9,
      {}
    )
  ),
  { maxKeys: 6 }
)
