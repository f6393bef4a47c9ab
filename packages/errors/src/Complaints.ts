import { Array, Option, Predicate, Schema, SchemaAST } from "effect"
import type { Issue, IssueType } from "./Issue.js"

/** What is wrong with one value: the part of an issue that does not say where. */
export type Complaint = Pick<Issue, "msg" | "type">

/** The key under which a schema says which issue type its own failures are. */
export const IssueTypeAnnotation = Symbol.for("@trunkline/errors/IssueType")

/** The issue type that a schema was annotated with. */
export const annotatedType = SchemaAST.getAnnotation<IssueType>(IssueTypeAnnotation)

/** What a schema reads a value as, where this is not what JSON calls it. */
export type Goal = "integer" | "number" | "boolean" | "datetime" | "url"

const goalsByConstructor: Readonly<Record<string, Goal>> = {
  "Date": "datetime",
  "effect/DateTime.Utc": "datetime",
  "effect/DateTime.Zoned": "datetime",
  "URL": "url"
}

/** What the schema reads a value as, seen through filters and transformations. */
export const goalOf = (ast: SchemaAST.AST): Goal | undefined => {
  switch (ast._tag) {
    case "Refinement":
      return Option.contains(SchemaAST.getSchemaIdAnnotation(ast), Schema.IntSchemaId) ? "integer" : goalOf(ast.from)
    case "Transformation":
      return goalOf(ast.to)
    case "NumberKeyword":
      return "number"
    case "BooleanKeyword":
      return "boolean"
    case "Declaration":
      return Option.getOrUndefined(
        Option.map(SchemaAST.getTypeConstructorAnnotation(ast), ({ _tag }) => goalsByConstructor[String(_tag)])
      )
    default:
      return undefined
  }
}

const goalsByType: { readonly [T in IssueType]?: Goal } = {
  int_type: "integer",
  int_parsing: "integer",
  float_type: "number",
  bool_type: "boolean",
  datetime_parsing: "datetime",
  url_parsing: "url"
}

/** What the schema's annotated issue type says that it reads a value as. */
export const declaredGoal = (ast: SchemaAST.AST): Goal | undefined =>
  Option.getOrUndefined(Option.map(annotatedType(ast), (type) => goalsByType[type]))

/** The complaint about text that could not be read as its goal. */
export const unreadable = (goal: Goal | undefined): Complaint => {
  switch (goal) {
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

/** The complaint about a required value that is not there. */
export const missing: Complaint = { type: "missing", msg: "This field is required" }

interface Wish {
  readonly type: IssueType
  readonly noun: string
  readonly literal?: SchemaAST.LiteralValue
}

const literalWish = (literal: SchemaAST.LiteralValue): Wish => ({
  type: "enum",
  noun: Predicate.isBigInt(literal) ? String(literal) : JSON.stringify(literal),
  literal
})

/** Everything the schema would have taken; a missing value is not mentioned. */
const wishesOf = (ast: SchemaAST.AST, outer?: Goal): ReadonlyArray<Wish> => {
  const goal = outer ?? goalOf(ast)
  switch (ast._tag) {
    case "StringKeyword":
      return [{ type: "string_type", noun: "a string" }]
    case "TemplateLiteral":
      return [{ type: "string_pattern_mismatch", noun: "a string of the expected form" }]
    case "NumberKeyword":
      return goal === "integer" ? [{ type: "int_type", noun: "a whole number" }] : [
        { type: "float_type", noun: "a number" }
      ]
    case "BooleanKeyword":
      return [{ type: "bool_type", noun: "true or false" }]
    case "Literal":
      return [literalWish(ast.literal)]
    case "Enums":
      return ast.enums.map(([, value]) => literalWish(value))
    case "TupleType":
      return [{ type: "list_type", noun: "a list" }]
    case "TypeLiteral":
    case "ObjectKeyword":
      return [{ type: "object_type", noun: "an object" }]
    case "Union":
      return goal === "boolean"
        ? [{ type: "bool_type", noun: "true or false" }]
        : ast.types.flatMap((member) => wishesOf(member, goal))
    case "Refinement":
    case "Transformation":
      return wishesOf(ast.from, goal)
    case "Suspend":
      return wishesOf(ast.f(), goal)
    case "Declaration":
      return Option.match(SchemaAST.getSurrogateAnnotation(ast), {
        onNone: () => [{ type: "value_error", noun: "a valid value" }],
        onSome: (surrogate) => wishesOf(surrogate, goal)
      })
    default:
      return []
  }
}

const either = (nouns: ReadonlyArray<string>) => {
  const unique = Array.dedupe(nouns)
  return unique.length < 2 ? unique.join("") : `${unique.slice(0, -1).join(", ")} or ${unique.slice(-1).join("")}`
}

/** The complaint about a value of another shape than the schema's. */
export const wrongShape = (ast: SchemaAST.AST, actual: unknown, goal: Goal | undefined): Complaint => {
  if (actual === undefined) {
    return missing
  }
  const wishes = wishesOf(ast, goal)
  const [first] = wishes
  if (first === undefined) {
    return { type: "value_error", msg: "Is not allowed here" }
  }
  const named = wishes.filter(({ literal }) => literal !== null)
  const sameKind = named.some(({ literal }) => literal !== undefined && typeof literal === typeof actual)
  return {
    type: sameKind ? "enum" : (named[0] ?? first).type,
    msg: `Must be ${either(wishes.map(({ noun }) => noun))}`
  }
}
