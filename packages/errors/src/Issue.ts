import { Array, Option, Predicate, Schema, SchemaAST } from "effect"
import { nearestWord } from "./NearestName.js"

/** Types of validation issues. */
export const IssueType = Schema.Literal(
  "missing",
  "json_invalid",
  "string_type",
  "string_too_short",
  "string_too_long",
  "string_pattern_mismatch",
  "int_type",
  "int_parsing",
  "float_type",
  "bool_type",
  "list_type",
  "object_type",
  "too_short",
  "too_long",
  "greater_than_equal",
  "less_than_equal",
  "enum",
  "datetime_parsing",
  "url_parsing",
  "value_error",
  "rule_violation"
)
export type IssueType = typeof IssueType.Type

/** Location of an issue in a request: `body`, `query`, `path` or `header`, then keys and indexes. */
export const Loc = Schema.Array(Schema.Union(Schema.String, Schema.Number))
export type Loc = typeof Loc.Type

/** A validation issue of a request. */
export const Issue = Schema.Struct({ loc: Loc, msg: Schema.String, type: IssueType })
export type Issue = typeof Issue.Type

/** Type and message of an issue, without its location. */
export type IssueContent = Pick<Issue, "msg" | "type">

/** Annotation key under which a schema declares the issue type of its failures. */
export const IssueTypeAnnotation = Symbol.for("@trunkline/errors/IssueType")

/** Issue type with which a schema is annotated. */
export const annotatedType = SchemaAST.getAnnotation<IssueType>(IssueTypeAnnotation)

/** Type that a schema expects, where JSON has no name of its own for it. */
export type ExpectedType = "integer" | "number" | "boolean" | "datetime" | "url"

const expectedByConstructor: Readonly<Record<string, ExpectedType>> = {
  "Date": "datetime",
  "effect/DateTime.Utc": "datetime",
  "effect/DateTime.Zoned": "datetime",
  "URL": "url"
}

/** Type that a schema expects, seen through filters and transformations. */
export const expectedTypeOf = (ast: SchemaAST.AST): ExpectedType | undefined => {
  switch (ast._tag) {
    case "Refinement":
      return Option.contains(SchemaAST.getSchemaIdAnnotation(ast), Schema.IntSchemaId)
        ? "integer"
        : expectedTypeOf(ast.from)
    case "Transformation":
      return expectedTypeOf(ast.to)
    case "NumberKeyword":
      return "number"
    case "BooleanKeyword":
      return "boolean"
    case "Declaration":
      return Option.getOrUndefined(
        Option.map(SchemaAST.getTypeConstructorAnnotation(ast), ({ _tag }) => expectedByConstructor[String(_tag)])
      )
    default:
      return undefined
  }
}

const expectedByIssueType: { readonly [T in IssueType]?: ExpectedType } = {
  int_type: "integer",
  int_parsing: "integer",
  float_type: "number",
  bool_type: "boolean",
  datetime_parsing: "datetime",
  url_parsing: "url"
}

/** Expected type according to the issue type with which a schema is annotated. */
export const annotatedExpectedType = (ast: SchemaAST.AST): ExpectedType | undefined =>
  Option.getOrUndefined(Option.map(annotatedType(ast), (type) => expectedByIssueType[type]))

/** Issue for text that cannot be parsed as the expected type. */
export const parseIssue = (expectedText: ExpectedType | undefined): IssueContent => {
  switch (expectedText) {
    case "integer":
      return { type: "int_parsing", msg: "Must be a whole number" }
    case "number":
      return { type: "float_type", msg: "Must be a number" }
    case "boolean":
      return { type: "bool_type", msg: "Must be true or false" }
    case "datetime":
      return { type: "datetime_parsing", msg: "Must be a date and time such as 2026-01-31T09:30:00Z" }
    case "url":
      return { type: "url_parsing", msg: "Must be an absolute URL" }
    default:
      return { type: "value_error", msg: "Is not valid" }
  }
}

/** Issue for an absent required value. */
export const missingIssue: IssueContent = { type: "missing", msg: "This field is required" }

interface Alternative {
  readonly type: IssueType
  readonly noun: string
  readonly literal?: SchemaAST.LiteralValue
}

const literalAlternative = (literal: SchemaAST.LiteralValue): Alternative => ({
  type: "enum",
  noun: Predicate.isBigInt(literal) ? String(literal) : JSON.stringify(literal),
  literal
})

/** Values that a schema accepts, except for an absent one. */
const alternativesOf = (ast: SchemaAST.AST, outer?: ExpectedType): ReadonlyArray<Alternative> => {
  const expectedText = outer ?? expectedTypeOf(ast)
  switch (ast._tag) {
    case "StringKeyword":
      return [{ type: "string_type", noun: "a string" }]
    case "TemplateLiteral":
      return [{ type: "string_pattern_mismatch", noun: "a string of the expected form" }]
    case "NumberKeyword":
      return expectedText === "integer" ? [{ type: "int_type", noun: "a whole number" }] : [
        { type: "float_type", noun: "a number" }
      ]
    case "BooleanKeyword":
      return [{ type: "bool_type", noun: "true or false" }]
    case "Literal":
      return [literalAlternative(ast.literal)]
    case "Enums":
      return ast.enums.map(([, value]) => literalAlternative(value))
    case "TupleType":
      return [{ type: "list_type", noun: "a list" }]
    case "TypeLiteral":
    case "ObjectKeyword":
      return [{ type: "object_type", noun: "an object" }]
    case "Union":
      return expectedText === "boolean"
        ? [{ type: "bool_type", noun: "true or false" }]
        : ast.types.flatMap((member) => alternativesOf(member, expectedText))
    case "Refinement":
    case "Transformation":
      return alternativesOf(ast.from, expectedText)
    case "Suspend":
      return alternativesOf(ast.f(), expectedText)
    case "Declaration":
      return Option.match(SchemaAST.getSurrogateAnnotation(ast), {
        onNone: () => [{ type: "value_error", noun: "a valid value" }],
        onSome: (surrogate) => alternativesOf(surrogate, expectedText)
      })
    default:
      return []
  }
}

const joinWithOr = (nouns: ReadonlyArray<string>) => {
  const unique = Array.dedupe(nouns)
  return unique.length < 2 ? unique.join("") : `${unique.slice(0, -1).join(", ")} or ${unique.slice(-1).join("")}`
}

const textsOf = (alternatives: ReadonlyArray<Alternative>): ReadonlyArray<string> =>
  alternatives.flatMap(({ literal }) => typeof literal === "string" ? [literal] : [])

/** The field of an object that has only one required field, if that takes only certain words; for a word without its object. */
const choiceIn = (ast: SchemaAST.AST): { readonly name: string; readonly words: ReadonlyArray<string> } | undefined => {
  if (SchemaAST.isRefinement(ast) || SchemaAST.isTransformation(ast)) return choiceIn(ast.from)
  if (!SchemaAST.isTypeLiteral(ast)) return undefined
  const [field, second] = ast.propertySignatures.filter(({ isOptional }) => !isOptional)
  if (field === undefined || second !== undefined) return undefined
  const alternatives = alternativesOf(field.type)
  const words = textsOf(alternatives)
  return words.length > 0 && words.length === alternatives.length ? { name: String(field.name), words } : undefined
}

/** Issue for a word in place of an object with a field for it. */
const bareWordIssue = (word: string, ast: SchemaAST.AST): IssueContent | undefined => {
  const choice = choiceIn(ast)
  if (choice === undefined) return undefined
  const { name, words } = choice
  const msg = `Must be an object with ${name} ${joinWithOr(words.map((one) => JSON.stringify(one)))}`
  return { type: "object_type", msg: `${msg}${nearestWord(word, words, (nearest) => ({ [name]: nearest }))}` }
}

/** Issue for a value of another type than the schema accepts. */
export const typeIssue = (
  ast: SchemaAST.AST,
  actual: unknown,
  expectedText: ExpectedType | undefined
): IssueContent => {
  if (actual === undefined) {
    return missingIssue
  }
  const alternatives = alternativesOf(ast, expectedText)
  const [first] = alternatives
  if (first === undefined) {
    return { type: "value_error", msg: "Is not allowed here" }
  }
  const bare = typeof actual === "string" ? bareWordIssue(actual, ast) : undefined
  if (bare !== undefined) return bare
  const literals = alternatives.filter(({ literal }) => literal !== null)
  const sameKind = literals.some(({ literal }) => literal !== undefined && typeof literal === typeof actual)
  return {
    type: sameKind ? "enum" : (literals[0] ?? first).type,
    msg: `Must be ${joinWithOr(alternatives.map(({ noun }) => noun))}${
      typeof actual === "string" ? nearestWord(actual, textsOf(alternatives)) : ""
    }`
  }
}
