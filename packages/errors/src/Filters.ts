import { Array, Option, Predicate, Schema, SchemaAST } from "effect"
import { type Complaint, unreadable } from "./Complaints.js"

/** A value that broke a filter, and the limits that the filter has. */
interface Broken {
  readonly actual: unknown
  /** A limit by its JSON Schema name; undefined when the schema's author replaced the limits. */
  readonly limit: (name: string) => number | undefined
  readonly fromText: boolean
  readonly ast: SchemaAST.Refinement
}

const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? "" : "s"}`

const tooShort = (limit: number | undefined): Complaint => ({
  type: "string_too_short",
  msg: limit === undefined ? "Is too short" : `Must have at least ${count(limit, "character")}`
})

const tooLong = (limit: number | undefined): Complaint => ({
  type: "string_too_long",
  msg: limit === undefined ? "Is too long" : `Must have at most ${count(limit, "character")}`
})

/** The complaint about a list with fewer items than its schema asks for. */
export const tooFewItems = (limit: number | undefined): Complaint => ({
  type: "too_short",
  msg: limit === undefined ? "Has too few items" : `Must have at least ${count(limit, "item")}`
})

/** The complaint about a list with more items than its schema takes. */
export const tooManyItems = (limit: number | undefined): Complaint => ({
  type: "too_long",
  msg: limit === undefined ? "Has too many items" : `Must have at most ${count(limit, "item")}`
})

const tooSmall = (limit: number | undefined, relation: string): Complaint => ({
  type: "greater_than_equal",
  msg: limit === undefined ? "Is too small" : `Must be ${relation} ${limit}`
})

const tooLarge = (limit: number | undefined, relation: string): Complaint => ({
  type: "less_than_equal",
  msg: limit === undefined ? "Is too large" : `Must be ${relation} ${limit}`
})

const isBelow = (size: unknown, limit: number | undefined) =>
  Predicate.isNumber(size) && limit !== undefined && size < limit

const sizeOf = (actual: unknown) => Predicate.isString(actual) || Array.isArray(actual) ? actual.length : undefined

const patternOf = (ast: SchemaAST.Refinement) => {
  const annotation = ast.annotations[Schema.PatternSchemaId]
  return Predicate.hasProperty(annotation, "regex") && Predicate.isRegExp(annotation.regex)
    ? ` ${annotation.regex.source}`
    : ""
}

const patternMismatch = (msg: string) => (): Complaint => ({ type: "string_pattern_mismatch", msg })

const complaints = new Map<string | symbol, (broken: Broken) => Complaint>([
  [Schema.MinLengthSchemaId, ({ limit }) => tooShort(limit("minLength"))],
  [Schema.MaxLengthSchemaId, ({ limit }) => tooLong(limit("maxLength"))],
  [
    Schema.LengthSchemaId,
    ({ actual, limit }) =>
      isBelow(sizeOf(actual), limit("minLength")) ? tooShort(limit("minLength")) : tooLong(limit("maxLength"))
  ],
  [Schema.PatternSchemaId, ({ ast }) => patternMismatch(`Must match the pattern${patternOf(ast)}`)()],
  [Schema.StartsWithSchemaId, patternMismatch("Does not start as it must")],
  [Schema.EndsWithSchemaId, patternMismatch("Does not end as it must")],
  [Schema.IncludesSchemaId, patternMismatch("Lacks a part that it must have")],
  [Schema.TrimmedSchemaId, patternMismatch("Must not start or end with spaces")],
  [Schema.LowercasedSchemaId, patternMismatch("Must be in lower case")],
  [Schema.UppercasedSchemaId, patternMismatch("Must be in upper case")],
  [Schema.UUIDSchemaId, patternMismatch("Must be a UUID")],
  [Schema.ULIDSchemaId, patternMismatch("Must be a ULID")],
  [Schema.IntSchemaId, ({ fromText }) => ({
    type: fromText ? "int_parsing" : "int_type",
    msg: "Must be a whole number"
  })],
  [Schema.FiniteSchemaId, () => unreadable("number")],
  [Schema.JsonNumberSchemaId, () => unreadable("number")],
  [Schema.NonNaNSchemaId, () => unreadable("number")],
  [Schema.ValidDateSchemaId, () => unreadable("datetime")],
  [Schema.GreaterThanSchemaId, ({ limit }) => tooSmall(limit("exclusiveMinimum"), "more than")],
  [Schema.GreaterThanOrEqualToSchemaId, ({ limit }) => tooSmall(limit("minimum"), "at least")],
  [Schema.LessThanSchemaId, ({ limit }) => tooLarge(limit("exclusiveMaximum"), "less than")],
  [Schema.LessThanOrEqualToSchemaId, ({ limit }) => tooLarge(limit("maximum"), "at most")],
  [
    Schema.BetweenSchemaId,
    ({ actual, limit }) =>
      isBelow(actual, limit("minimum")) ? tooSmall(limit("minimum"), "at least") : tooLarge(limit("maximum"), "at most")
  ],
  [Schema.MinItemsSchemaId, ({ limit }) => tooFewItems(limit("minItems"))],
  [Schema.MaxItemsSchemaId, ({ limit }) => tooManyItems(limit("maxItems"))],
  [
    Schema.ItemsCountSchemaId,
    ({ actual, limit }) =>
      isBelow(sizeOf(actual), limit("minItems")) ? tooFewItems(limit("minItems")) : tooManyItems(limit("maxItems"))
  ]
])

/** The complaint about a value of the right shape that a filter refused; none about a filter that is not known. */
export const refused = (
  ast: SchemaAST.Refinement,
  options: { readonly actual: unknown; readonly fromText: boolean }
): Option.Option<Complaint> => {
  const limits = Option.getOrUndefined(SchemaAST.getJSONSchemaAnnotation(ast))
  const limit = (name: string) => {
    const value = Predicate.hasProperty(limits, name) ? limits[name] : undefined
    return Predicate.isNumber(value) ? value : undefined
  }
  return SchemaAST.getSchemaIdAnnotation(ast).pipe(
    Option.flatMapNullable((id) => complaints.get(id)),
    Option.map((complaint) => complaint({ ...options, ast, limit }))
  )
}
