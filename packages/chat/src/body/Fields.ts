import { chunkedArray } from "@trunkline/kernel"
import { Predicate, Schema, SchemaAST } from "effect"

/** An optional field. Null means the same as leaving it out. */
export const optional = <A, I>(schema: Schema.Schema<A, I>, description?: string) =>
  Schema.optionalWith(description === undefined ? schema : schema.annotations({ description }), { nullable: true })

/** An optional boolean. Null and a missing field mean false, which its description says. */
export const flag = (description: string) =>
  Schema.optionalWith(Schema.Boolean.annotations({ description: `${description} (default: false)` }), {
    default: () => false,
    nullable: true
  })

/** A JSON object that is passed through unchanged. */
export const JsonObject: Schema.Schema<Readonly<Record<string, unknown>>> = Schema.declare(
  (value: unknown): value is Readonly<Record<string, unknown>> => Predicate.isRecord(value),
  { jsonSchema: { type: "object" }, [SchemaAST.SurrogateAnnotationId]: Schema.Object.ast }
)

/** The name of a function or of a response schema: 1 to 64 letters, digits, underscores and dashes, as OpenAI has it. */
export const Identifier = Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9_-]{1,64}$/))

const documentedAs = <A, I>(shape: Schema.Schema<A, I>) => ({ [SchemaAST.SurrogateAnnotationId]: shape.ast })

/** A list of at most `maxItems`. Its length is checked before its items are decoded. */
export const limitedList = <A, I>(item: Schema.Schema<A, I>, maxItems: number) =>
  Schema.compose(Schema.Array(Schema.Unknown).pipe(Schema.maxItems(maxItems)), Schema.Array(item), { strict: false })
    .annotations(documentedAs(Schema.Array(item).pipe(Schema.maxItems(maxItems))))

/** A list of any length, decoded in chunks so that other fibers run in between. */
export const chunkedList = <A, I>(item: Schema.Schema<A, I>) =>
  chunkedArray(Schema.Array(Schema.Unknown), item, documentedAs(Schema.Array(item)))

/** Like `chunkedList`, with the constraints of `list`, and documented as `shape` in the JSON Schema. */
export const chunkedListAs = <A, I, B, J>(
  list: Schema.Schema<ReadonlyArray<unknown>>,
  item: Schema.Schema<A, I>,
  shape: Schema.Schema<B, J>
) => chunkedArray(list, item, documentedAs(shape))
