import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, FastCheck, Schema } from "effect"
import { jsonWriter } from "../../src/index.js"

enum Level {
  low,
  high = "high"
}

class Point extends Schema.Class<Point>("Point")({ x: Schema.Number, label: Schema.optional(Schema.String) }) {}

class Moved extends Schema.TaggedClass<Moved>()("Moved", { to: Point, at: Schema.Date }) {}

class Lost extends Schema.TaggedError<Lost>()("Lost", { message: Schema.String, seen: Schema.NullOr(Point) }) {}

class Labelled extends Point.extend<Labelled>("Labelled")({ tags: Schema.Array(Schema.NonEmptyString) }) {}

interface Tree {
  readonly name: string
  readonly children: ReadonlyArray<Tree>
  readonly left?: Tree | null
}

const Tree: Schema.Schema<Tree> = Schema.Struct({
  name: Schema.String,
  children: Schema.Array(Schema.suspend(() => Tree)),
  left: Schema.optionalWith(Schema.NullOr(Schema.suspend(() => Tree)), { exact: true })
})

const Shape = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("circle"), radius: Schema.Number }),
  Schema.Struct({ kind: Schema.Literal("square", "diamond"), side: Schema.NumberFromString }),
  Schema.Struct({ kind: Schema.Literal(3), sides: Schema.Array(Schema.Number) })
)

const schemas: Readonly<Record<string, Schema.Schema.AnyNoContext>> = {
  strings: Schema.String,
  "strings with every character": Schema.String.annotations({
    arbitrary: () => (fc) =>
      fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom("\ud800", "\"") }))
  }),
  "long strings": Schema.String.pipe(Schema.minLength(80)),
  numbers: Schema.Number,
  booleans: Schema.Boolean,
  null: Schema.Null,
  nothing: Schema.Undefined,
  "anything at all": Schema.Unknown,
  literals: Schema.Literal("a", "b\n", 1, true, null),
  enums: Schema.Enums(Level),
  "template literals": Schema.TemplateLiteral("call-", Schema.Number),
  refinements: Schema.Int.pipe(Schema.between(-5, 5)),
  brands: Schema.NonEmptyString.pipe(Schema.brand("Name")),
  arrays: Schema.Array(Schema.NumberFromString),
  "arrays with gaps": Schema.Array(Schema.UndefinedOr(Schema.String)),
  tuples: Schema.Tuple(Schema.String, Schema.optionalElement(Schema.Date)),
  "tuples with a rest": Schema.Tuple([Schema.String], Schema.Number),
  "tuples that end as they must": Schema.Tuple([Schema.String], Schema.Number, Schema.Boolean),
  structs: Schema.Struct({ b: Schema.String, a: Schema.Number, "a \"key\"": Schema.Boolean }),
  "structs with numbers as keys": Schema.Struct({ z: Schema.String, "10": Schema.Number, "2": Schema.Boolean }),
  "structs with inherited names": Schema.Struct({ toString: Schema.optional(Schema.String), a: Schema.Number }),
  "empty structs": Schema.Struct({}),
  "optional fields": Schema.Struct({
    a: Schema.optional(Schema.String),
    b: Schema.optionalWith(Schema.Date, { exact: true }),
    c: Schema.UndefinedOr(Schema.Number)
  }),
  "defaults and options": Schema.Struct({
    page: Schema.optionalWith(Schema.NumberFromString, { default: () => 1 }),
    name: Schema.optionalWith(Schema.String, { as: "Option" }),
    at: Schema.optionalWith(Schema.Date, { nullable: true }),
    kept: Schema.Boolean
  }),
  "renamed fields": Schema.Struct({
    callId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("call_id")),
    endedAt: Schema.optional(Schema.Date).pipe(Schema.fromKey("ended_at")),
    plain: Schema.Number
  }),
  records: Schema.Record({ key: Schema.String, value: Schema.Date }),
  "records with patterns as keys": Schema.Record({
    key: Schema.TemplateLiteral("x-", Schema.String),
    value: Schema.Number
  }),
  "structs with other keys": Schema.Struct({ a: Schema.Number }, { key: Schema.String, value: Schema.Unknown }),
  "structs that keep other keys": Schema.Struct({ a: Schema.Number }).annotations({
    parseOptions: { onExcessProperty: "preserve" }
  }),
  "nullable transformations": Schema.NullOr(Schema.Date),
  "unions of kinds": Schema.Union(
    Schema.String,
    Schema.Number,
    Schema.Array(Schema.Date),
    Schema.Struct({ a: Schema.Null })
  ),
  "unions of strings": Schema.Union(Schema.Literal("any"), Schema.NonEmptyString, Schema.Number),
  "unions with a tag": Shape,
  "unions of classes": Schema.NullOr(Schema.Union(Moved, Lost)),
  "unions that only Schema can tell apart": Schema.Union(
    Schema.Struct({ a: Schema.String }),
    Schema.Struct({ b: Schema.Date }),
    Schema.DateFromNumber,
    Schema.String
  ),
  "optional unions": Schema.Struct({ shape: Schema.optional(Schema.NullOr(Shape)) }),
  classes: Labelled,
  "classes of their own type": Schema.typeSchema(Moved),
  "tagged errors": Lost,
  recursion: Tree,
  transformations: Schema.Trim,
  "JSON in JSON": Schema.parseJson(Schema.Struct({ a: Schema.Date })),
  options: Schema.Option(Schema.Date),
  maps: Schema.ReadonlyMap({ key: Schema.String, value: Schema.Number }),
  "transformed structs": Schema.transform(Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.String }), {
    decode: ({ a }) => ({ b: a }),
    encode: ({ b }) => ({ a: b })
  }),
  composition: Schema.compose(Schema.Trim, Schema.NumberFromString)
}

describe("jsonWriter", () => {
  for (const [name, { ast }] of Object.entries(schemas)) {
    it(`writes ${name} as Schema encodes them`, () => {
      const schema = Schema.make<unknown, unknown, never>(ast)
      const encode = Schema.encodeSync(schema)
      const write = jsonWriter(schema)
      FastCheck.assert(
        FastCheck.property(Arbitrary.make(schema), (value) => {
          assert.strictEqual(write(value), JSON.stringify(encode(value)))
        })
      )
    })
  }
})
