import { Predicate, Schema, SchemaAST } from "effect"

/** A field that may be left out or be null, which means the same. */
export const optional = <A, I>(schema: Schema.Schema<A, I>, description?: string) =>
  Schema.optionalWith(description === undefined ? schema : schema.annotations({ description }), { nullable: true })

/** A boolean that is false where it is left out or null. */
export const flag = (description: string) =>
  Schema.optionalWith(Schema.Boolean.annotations({ description, default: false }), {
    default: () => false,
    nullable: true
  })

/** A JSON object that stays as it was sent. */
export const JsonObject: Schema.Schema<Readonly<Record<string, unknown>>> = Schema.declare(
  (value: unknown): value is Readonly<Record<string, unknown>> => Predicate.isRecord(value),
  { jsonSchema: { type: "object" }, [SchemaAST.SurrogateAnnotationId]: Schema.Object.ast }
)

/** The name of a function, or of the schema of an answer. */
export const GivenName = Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9_-]{1,64}$/))
