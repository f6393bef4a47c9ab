import { Array, Option, Predicate, Schema, SchemaAST } from "effect"
import { type IssueContent, parseIssue } from "./Issue.js"

/** A value that a filter rejected, with the limits of the filter. */
interface Rejection {
  readonly actual: unknown
  /** A limit by its JSON Schema keyword; undefined if the schema's JSON Schema annotation does not have it. */
  readonly limit: (name: string) => number | undefined
  readonly fromText: boolean
  readonly ast: SchemaAST.Refinement
}

const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? "" : "s"}`

const tooShort = (limit: number | undefined): IssueContent => ({
  type: "string_too_short",
  msg: limit === undefined ? "Is too short" : `Must have at least ${count(limit, "character")}`
})

const tooLong = (limit: number | undefined): IssueContent => ({
  type: "string_too_long",
  msg: limit === undefined ? "Is too long" : `Must have at most ${count(limit, "character")}`
})

/** Issue for a list with fewer items than its schema requires. */
export const tooFewItems = (limit: number | undefined): IssueContent => ({
  type: "too_short",
  msg: limit === undefined ? "Has too few items" : `Must have at least ${count(limit, "item")}`
})

/** Issue for a list with more items than its schema allows. */
export const tooManyItems = (limit: number | undefined): IssueContent => ({
  type: "too_long",
  msg: limit === undefined ? "Has too many items" : `Must have at most ${count(limit, "item")}`
})

const tooSmall = (limit: number | undefined, relation: string): IssueContent => ({
  type: "greater_than_equal",
  msg: limit === undefined ? "Is too small" : `Must be ${relation} ${limit}`
})

const tooLarge = (limit: number | undefined, relation: string): IssueContent => ({
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

const patternMismatch = (msg: string) => (): IssueContent => ({ type: "string_pattern_mismatch", msg })

const issueByFilter = new Map<string | symbol, (rejection: Rejection) => IssueContent>([
  [Schema.MinLengthSchemaId, ({ limit }) => tooShort(limit("minLength"))],
  [Schema.MaxLengthSchemaId, ({ limit }) => tooLong(limit("maxLength"))],
  [
    Schema.LengthSchemaId,
    ({ actual, limit }) =>
      isBelow(sizeOf(actual), limit("minLength")) ? tooShort(limit("minLength")) : tooLong(limit("maxLength"))
  ],
  [Schema.PatternSchemaId, ({ ast }) => patternMismatch(`Must match the pattern${patternOf(ast)}`)()],
  [Schema.StartsWithSchemaId, patternMismatch("Must start with the required text")],
  [Schema.EndsWithSchemaId, patternMismatch("Must end with the required text")],
  [Schema.IncludesSchemaId, patternMismatch("Must contain the required text")],
  [Schema.TrimmedSchemaId, patternMismatch("Must not start or end with spaces")],
  [Schema.LowercasedSchemaId, patternMismatch("Must be in lower case")],
  [Schema.UppercasedSchemaId, patternMismatch("Must be in upper case")],
  [Schema.UUIDSchemaId, patternMismatch("Must be a UUID")],
  [Schema.ULIDSchemaId, patternMismatch("Must be a ULID")],
  [Schema.IntSchemaId, ({ fromText }) => ({
    type: fromText ? "int_parsing" : "int_type",
    msg: "Must be a whole number"
  })],
  [Schema.FiniteSchemaId, () => parseIssue("number")],
  [Schema.JsonNumberSchemaId, () => parseIssue("number")],
  [Schema.NonNaNSchemaId, () => parseIssue("number")],
  [Schema.ValidDateSchemaId, () => parseIssue("datetime")],
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

/** Issue for a value of the right type that a filter rejected; none for an unknown filter. */
export const filterIssue = (
  ast: SchemaAST.Refinement,
  options: { readonly actual: unknown; readonly fromText: boolean }
): Option.Option<IssueContent> => {
  const limits = Option.getOrUndefined(SchemaAST.getJSONSchemaAnnotation(ast))
  const limit = (name: string) => {
    const value = Predicate.hasProperty(limits, name) ? limits[name] : undefined
    return Predicate.isNumber(value) ? value : undefined
  }
  return SchemaAST.getSchemaIdAnnotation(ast).pipe(
    Option.flatMapNullable((id) => issueByFilter.get(id)),
    Option.map((issueOf) => issueOf({ ...options, ast, limit }))
  )
}
