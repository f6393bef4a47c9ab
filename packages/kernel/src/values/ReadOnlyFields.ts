import { ParseResult, Schema, SchemaAST, Struct } from "effect"

const readOnly = Schema.optional(Schema.Unknown.annotations({ jsonSchema: { readOnly: true } }))

/**
 * Adds fields of a record to the body that changes it, so that a record that was read can be sent back as it is. Their
 * values are ignored, and are not in the decoded body. A field that the body has itself stays as it is.
 *
 * @example
 * ```ts
 * const PatchTab = withReadOnly(Schema.Struct({ name: Schema.optional(Schema.String) }), ["id", "widgets"])
 * ```
 */
export const withReadOnly = <F extends Schema.Struct.Fields>(
  body: Schema.Struct<F>,
  names: ReadonlyArray<string>
): Schema.Schema<Schema.Schema.Type<Schema.Struct<F>>, Schema.Schema.Encoded<Schema.Struct<F>>> => {
  const addedNames = names.filter((name) => !Object.hasOwn(body.fields, name))
  const struct = Schema.Struct({ ...body.fields, ...Object.fromEntries(addedNames.map((name) => [name, readOnly])) })
  const omit = new SchemaAST.FinalTransformation(
    (value) => ParseResult.succeed(Struct.omit(value, ...addedNames)),
    ParseResult.succeed
  )
  return Schema.make(new SchemaAST.Transformation(struct.ast, SchemaAST.typeAST(body.ast), omit))
}
