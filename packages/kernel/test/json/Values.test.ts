import { assert, describe, it } from "@effect/vitest"
import { ParseResult, Schema, type SchemaAST } from "effect"
import { jsonWriter, writtenAs } from "../../src/index.js"

const Pet = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("dog"), age: Schema.Number }),
  Schema.Struct({ kind: Schema.Literal("cat"), lives: Schema.Number })
)

/** Writes a value that the type checker would refuse. */
const writeOther = (schema: { readonly ast: SchemaAST.AST }, value: unknown) =>
  jsonWriter(Schema.make<unknown, unknown, never>(schema.ast))(value)

describe("a writer", () => {
  it("fails as Schema does for values of another type", () => {
    const fails = (schema: { readonly ast: SchemaAST.AST }, value: unknown) =>
      assert.throws(() => writeOther(schema, value), ParseResult.ParseError)
    fails(Schema.String, 1)
    fails(Schema.Number, "1")
    fails(Schema.Boolean, null)
    fails(Schema.Literal("a", "b"), "c")
    fails(Schema.Array(Schema.String), "text")
    fails(Schema.Array(Schema.String), [1])
    fails(Schema.Tuple(Schema.String), [])
    fails(Schema.Tuple(Schema.String), ["a", "b"])
    fails(Schema.Struct({ a: Schema.String }), {})
    fails(Schema.Struct({ a: Schema.String }), null)
    fails(Schema.Struct({ a: Schema.String }), ["a"])
    fails(Schema.Record({ key: Schema.String, value: Schema.Number }), { a: "1" })
    fails(Schema.Union(Schema.String, Schema.Number), true)
    fails(Pet, { kind: "bird", age: 1 })
    fails(Schema.Never, 1)
  })

  it("trusts that values pass refinements", () => {
    assert.strictEqual(writeOther(Schema.NonEmptyString, ""), "\"\"")
  })

  it("lets Schema decide about refined numbers that are not finite", () => {
    assert.throws(() => jsonWriter(Schema.Finite)(Number.NaN), ParseResult.ParseError)
    assert.throws(() => jsonWriter(Schema.Int.pipe(Schema.positive()))(Infinity), ParseResult.ParseError)
    assert.strictEqual(jsonWriter(Schema.Positive)(Infinity), "null")
  })

  it("leaves out what the schema does not name", () => {
    assert.strictEqual(writeOther(Pet, { kind: "dog", age: 3, owner: "Asha" }), "{\"kind\":\"dog\",\"age\":3}")
  })

  it("writes numbers and items that JSON does not have as null, and leaves out such properties", () => {
    assert.strictEqual(jsonWriter(Schema.Array(Schema.Number))([Number.NaN, -Infinity, -0]), "[null,null,0]")
    assert.strictEqual(jsonWriter(Schema.Array(Schema.Unknown))([undefined, () => 1]), "[null,null]")
    assert.strictEqual(jsonWriter(Schema.Struct({ a: Schema.Unknown }))({ a: undefined }), "{}")
    assert.isUndefined(jsonWriter(Schema.Void)(undefined))
  })

  it("writes plain objects with the fields of a class like its instances", () => {
    class Point extends Schema.Class<Point>("Point")({ x: Schema.Number }) {}
    assert.strictEqual(jsonWriter(Point)({ x: 1 }), "{\"x\":1}")
  })

  it("fails as Schema does where properties exchange their names", () => {
    const exchanged = Schema.Struct({ a: Schema.String, b: Schema.Number }).pipe(Schema.rename({ a: "b", b: "a" }))
    assert.throws(() => Schema.encodeSync(exchanged)({ a: 1, b: "text" }), ParseResult.ParseError)
    assert.throws(() => jsonWriter(exchanged)({ a: 1, b: "text" }), ParseResult.ParseError)
  })

  it("leaves out keys that would set a prototype", () => {
    const record = JSON.parse("{\"__proto__\":{\"a\":1},\"b\":{}}")
    assert.strictEqual(jsonWriter(Schema.Record({ key: Schema.String, value: Schema.Unknown }))(record), "{\"b\":{}}")
  })

  it("uses the writer of an annotated schema, also inside of others", () => {
    const Cents = Schema.transform(Schema.String, Schema.Number, {
      decode: (text) => Number(text) * 100,
      encode: (cents) => String(cents / 100)
    }).annotations(writtenAs((cents: number) => `"${cents / 100} written"`))
    assert.strictEqual(
      jsonWriter(Schema.Struct({ price: Schema.NullOr(Cents) }))({ price: 250 }),
      "{\"price\":\"2.5 written\"}"
    )
  })
})
