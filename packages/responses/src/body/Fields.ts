import { issueType } from "@trunkline/errors"
import { type Effect, ParseResult, Schema, SchemaAST } from "effect"

/** A field that may be left out or be null, which means the same. */
export const nullable = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schema.optional(Schema.NullOr(schema)).annotations({ description })

const isNull = (value: unknown): value is null => value === null
const isFalseOrNull = (value: unknown): value is false | null => value === false || value === null

/** A field that must not be set; `sentence` says why, and what to do instead. */
export const refused = (sentence: string) =>
  Schema.optional(Schema.Unknown.pipe(Schema.filter(isNull, {
    message: () => sentence,
    jsonSchema: { type: "null" },
    ...issueType("value_error")
  }))).annotations({ description: sentence })

/** A field that may only be false; `sentence` says why. */
export const onlyFalse = (sentence: string) =>
  Schema.optional(Schema.Unknown.pipe(Schema.filter(isFalseOrNull, {
    message: () => sentence,
    jsonSchema: { type: ["boolean", "null"], enum: [false, null] },
    ...issueType("value_error")
  }))).annotations({ description: sentence })

/** What is said of a schema that reads in its own way, but takes what another one does. */
export const likewise = ({ ast }: Schema.Schema.Any) => ({ [SchemaAST.SurrogateAnnotationId]: ast })

/** A schema that reads values in its own way, and takes what `schema` does. */
export const readBy = <A>(
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
      ParseResult.fail(new ParseResult.Forbidden(ast, value, "Bodies are only read"))
  }, likewise(schema))
