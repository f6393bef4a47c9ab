import { inPieces } from "@trunkline/kernel"
import { Schema, SchemaAST } from "effect"

const shownAs = <A, I>(shape: Schema.Schema<A, I>) => ({ [SchemaAST.SurrogateAnnotationId]: shape.ast })

/** A list whose length is looked at before its items are. */
export const shortList = <A, I>(item: Schema.Schema<A, I>, most: number) =>
  Schema.compose(Schema.Array(Schema.Unknown).pipe(Schema.maxItems(most)), Schema.Array(item), { strict: false })
    .annotations(shownAs(Schema.Array(item).pipe(Schema.maxItems(most))))

/** A list of any length, which is read in pieces. */
export const listOf = <A, I>(item: Schema.Schema<A, I>) =>
  inPieces(Schema.Array(Schema.Unknown), item, shownAs(Schema.Array(item)))

/** A list that is read in pieces; descriptions show it as `shape`. */
export const longList = <A, I, B, J>(
  list: Schema.Schema<ReadonlyArray<unknown>>,
  item: Schema.Schema<A, I>,
  shape: Schema.Schema<B, J>
) => inPieces(list, item, shownAs(shape))
