import { identity, JSONSchema, Option, ParseResult, Predicate, Schema } from "effect"

/** Reads a text as a schema does, and an empty one as `absent`; it is described as the schema is. */
const reading = <A, B, I extends string>(schema: Schema.Schema<A, I>, absent: B, either: Schema.Schema<A | B>) => {
  const jsonSchema = JSONSchema.fromAST(schema.ast, {
    definitions: {},
    target: "openApi3.1",
    topLevelReferenceStrategy: "skip",
    additionalPropertiesStrategy: "allow"
  })
  const decode = ParseResult.decodeUnknown(schema)
  const encode = ParseResult.encodeUnknown(schema)
  return Schema.transformOrFail(Schema.String.annotations({ jsonSchema }), either, {
    strict: true,
    decode: (text, options) => text === "" ? ParseResult.succeed(absent) : decode(text, options),
    encode: (value, options) => value === undefined ? ParseResult.succeed("") : encode(value, options)
  })
}

/** A parameter of a query that may be absent and is read from text: `status=` says no more than no `status` at all. */
export const emptyIsAbsent = <A, I extends string>(schema: Schema.Schema<A, I>) =>
  Schema.optionalToOptional(
    reading(schema, undefined, Schema.UndefinedOr(Schema.typeSchema(schema))),
    Schema.typeSchema(schema),
    { decode: Option.filter(Predicate.isNotUndefined), encode: identity }
  )

/** As `emptyIsAbsent`, with what an absent or empty text stands for. */
export const emptyIs = <A, I extends string>(schema: Schema.Schema<A, I>, absent: NoInfer<A>) =>
  Schema.optionalWith(reading(schema, absent, Schema.typeSchema(schema)), { exact: true, default: () => absent })
