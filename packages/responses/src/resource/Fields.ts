import { issueType } from "@trunkline/errors"
import { type Effect, ParseResult, Predicate, Schema, SchemaAST } from "effect"

/** Any JSON object, passed through unchanged. */
export const JsonObject = Schema.Object.pipe(
  Schema.filter(Predicate.isReadonlyRecord, {
    message: () => "Must be an object",
    jsonSchema: { type: "object" },
    ...issueType("object_type")
  })
)
export type JsonObject = typeof JsonObject.Type

/** An optional field. Null means the same as leaving it out. */
export const nullable = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schema.optional(Schema.NullOr(schema)).annotations({ description })

const isNull = (value: unknown): value is null => value === null
const isFalseOrNull = (value: unknown): value is false | null => value === false || value === null

/** A field that is not supported. `sentence` says why, and what to use instead. */
export const unsupported = (sentence: string) =>
  Schema.optional(Schema.Unknown.pipe(Schema.filter(isNull, {
    message: () => sentence,
    jsonSchema: { type: "null" },
    ...issueType("value_error")
  }))).annotations({ description: sentence })

/** A field that may only be false. `sentence` says why. */
export const onlyFalse = (sentence: string) =>
  Schema.optional(Schema.Unknown.pipe(Schema.filter(isFalseOrNull, {
    message: () => sentence,
    jsonSchema: { type: ["boolean", "null"], enum: [false, null] },
    ...issueType("value_error")
  }))).annotations({ description: sentence })

/** Annotations that document a custom decoder as the given schema. */
export const documentedAs = ({ ast }: Schema.Schema.Any) => ({ [SchemaAST.SurrogateAnnotationId]: ast })

/** A schema with a custom decoder, documented as `schema` in the JSON Schema. It cannot encode. */
export const decodedBy = <A>(
  decode: (
    value: unknown,
    options: SchemaAST.ParseOptions,
    ast: SchemaAST.Declaration
  ) => Effect.Effect<A, ParseResult.ParseIssue>,
  schema: Schema.Schema.Any
): Schema.Schema<A, unknown> =>
  Schema.declare([], {
    decode: () => decode,
    encode: () => (value, _, ast): Effect.Effect<unknown, ParseResult.ParseIssue> =>
      ParseResult.fail(new ParseResult.Forbidden(ast, value, "Request bodies are only decoded"))
  }, documentedAs(schema))
