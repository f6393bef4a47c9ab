import { inPieces } from "@trunkline/kernel"
import { ParseResult, Schema, SchemaAST } from "effect"

const shownAs = <A, I>(shape: Schema.Schema<A, I>) => ({ [SchemaAST.SurrogateAnnotationId]: shape.ast })

/** A list whose length is looked at before its items are. */
export const shortList = <A, I>(item: Schema.Schema<A, I>, most: number) =>
  Schema.compose(Schema.Array(Schema.Unknown).pipe(Schema.maxItems(most)), Schema.Array(item), { strict: false })
    .annotations(shownAs(Schema.Array(item).pipe(Schema.maxItems(most))))

/**
 * A list that is read in pieces, and once: a struct with optional fields reads what a declaration such as that of
 * `inPieces` made of its input a second time. Descriptions show it as `shape`.
 */
export const longList = <A, I, B, J>(
  list: Schema.Schema<ReadonlyArray<unknown>>,
  item: Schema.Schema<A, I>,
  shape: Schema.Schema<B, J>
) => {
  const read = ParseResult.decodeUnknown(inPieces(list, item, { jsonSchema: {} }))
  return Schema.transformOrFail(
    Schema.Array(Schema.Unknown).annotations(shownAs(shape)),
    Schema.declare((value): value is ReadonlyArray<A> => Array.isArray(value)),
    {
      decode: (value, options) => read(value, options),
      encode: (value, _, ast) => ParseResult.fail(new ParseResult.Forbidden(ast, value, "Bodies are only read"))
    }
  )
}
