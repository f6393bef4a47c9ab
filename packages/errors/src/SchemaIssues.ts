import { Array, Option, Order, ParseResult, Predicate, SchemaAST } from "effect"
import { pathsBelow } from "./FieldNames.js"
import { filterIssue, tooFewItems, tooManyItems } from "./FilterIssues.js"
import {
  annotatedExpectedType,
  annotatedType,
  type ExpectedType,
  expectedTypeOf,
  type Issue,
  type IssueContent,
  type IssueType,
  IssueTypeAnnotation,
  missingIssue,
  parseIssue,
  typeIssue
} from "./Issue.js"
import { unknownField } from "./NearestName.js"

/**
 * Annotations that declare the issue type of a schema's failures. On a transformation they also mark its messages as
 * safe to show: messages without the annotation are replaced, because Effect's own quote the received value.
 *
 * @example
 * ```ts
 * const Zone = Schema.String.pipe(Schema.filter(isTimeZone, issueType("value_error")))
 * ```
 */
export const issueType = (type: IssueType): { readonly [IssueTypeAnnotation]: IssueType } => ({
  [IssueTypeAnnotation]: type
})

/** Largest number of issues that an error reports. */
export const maxIssues = 100

interface Location {
  readonly path: ReadonlyArray<string | number>
  readonly expected?: ExpectedType | undefined
  /** True if the value was text, as in a query. */
  readonly fromText: boolean
}

interface Finding extends IssueContent {
  readonly path: Location["path"]
  /** True if the value has another type, so that the schema's other issues do not apply. */
  readonly isTypeMismatch: boolean
}

/** Message with which the schema is annotated for this issue, if there is one. */
const annotatedMessage = (issue: ParseResult.ParseIssue, ast: SchemaAST.AST) =>
  Option.flatMap(SchemaAST.getMessageAnnotation(ast), (messageOf) => {
    const message = messageOf(issue)
    return Predicate.isString(message)
      ? Option.some({ msg: message, override: false })
      : "override" in message && Predicate.isString(message.message)
      ? Option.some({ msg: message.message, override: message.override })
      : Option.none()
  })

const contentOf = ({ actual, ast, message }: ParseResult.Type, { expected, fromText }: Location): IssueContent => {
  const messageField = message === undefined ? {} : { msg: message }
  switch (ast._tag) {
    case "Refinement":
      return {
        ...Option.getOrElse(filterIssue(ast, { actual, fromText }), () => parseIssue(annotatedExpectedType(ast))),
        ...messageField
      }
    case "Transformation":
      return {
        ...parseIssue(annotatedExpectedType(ast) ?? expected),
        ...(Option.isSome(annotatedType(ast)) && messageField)
      }
    default:
      return message === undefined ? typeIssue(ast, actual, expected) : { type: "value_error", msg: message }
  }
}

const hasOtherType = ({ ast, message }: ParseResult.Type) =>
  message === undefined && !SchemaAST.isRefinement(ast) && !SchemaAST.isTransformation(ast)

const mismatch = (issue: ParseResult.Type, location: Location): Finding => {
  const content = contentOf(issue, location)
  return {
    type: Option.getOrElse(annotatedType(issue.ast), () => content.type),
    msg: Option.match(annotatedMessage(issue, issue.ast), { onNone: () => content.msg, onSome: ({ msg }) => msg }),
    path: location.path,
    isTypeMismatch: hasOtherType(issue)
  }
}

const finding = (location: Location, content: IssueContent): Finding => ({
  ...content,
  path: location.path,
  isTypeMismatch: false
})

const childrenOf = ({ issues }: ParseResult.Composite) => Array.ensure(issues)

const missingIn = (member: ReadonlyArray<Finding>) => member.filter(({ type }) => type === "missing").length

const byFewest = Order.combine(
  Order.mapInput(Order.number, missingIn),
  Order.mapInput(Order.number, (member: ReadonlyArray<Finding>) => member.length)
)

/** Issues of the member that the value comes closest to, or one issue if it has the type of no member. */
const inUnion = (issue: ParseResult.Composite, location: Location): ReadonlyArray<Finding> => {
  const members = childrenOf(issue).map((child) => collect(child, location))
  const near = members.filter((issues) =>
    !issues.every(({ isTypeMismatch, path }) => isTypeMismatch && path.length === location.path.length)
  )
  const [nearest] = Array.sort(near, byFewest)
  return nearest ?? [mismatch(new ParseResult.Type(issue.ast, issue.actual), location)]
}

/** Issues of a list; missing and surplus items are reported once, not for each index. */
const inList = (issue: ParseResult.Composite, ast: SchemaAST.TupleType, location: Location): ReadonlyArray<Finding> => {
  const isAbout = (tag: "Missing" | "Unexpected") => (child: ParseResult.ParseIssue) =>
    child._tag === "Pointer" && child.issue._tag === tag
  const [isShort, isLong] = [isAbout("Missing"), isAbout("Unexpected")]
  const children = childrenOf(issue)
  const minItems = ast.elements.filter(({ isOptional }) => !isOptional).length + Math.max(0, ast.rest.length - 1)
  return [
    ...(children.some(isShort) ? [finding(location, tooFewItems(minItems))] : []),
    ...(children.some(isLong) ? [finding(location, tooManyItems(ast.elements.length))] : []),
    ...children.filter((child) => !isShort(child) && !isLong(child)).flatMap((child) => collect(child, location))
  ]
}

/** Issues of an object. The fields that do not exist are reported as far as an error reports issues. */
const inObject = (issue: ParseResult.Composite, location: Location): ReadonlyArray<Finding> => {
  const fields = SchemaAST.isTypeLiteral(issue.ast) ? issue.ast.propertySignatures.map(({ name }) => String(name)) : []
  const below = SchemaAST.isTypeLiteral(issue.ast) ? pathsBelow(issue.ast) : []
  let unknown = 0
  return childrenOf(issue).flatMap((child) => {
    if (child._tag !== "Pointer" || child.issue._tag !== "Unexpected") return collect(child, location)
    unknown += 1
    if (unknown > maxIssues) return []
    const place = at(location, child.path)
    return [finding(place, unknownField(String(place.path.at(-1)), fields, below))]
  })
}

const inside = (
  { actual, ast }: ParseResult.Refinement | ParseResult.Transformation,
  location: Location
): Location => ({
  path: location.path,
  expected: location.expected ?? expectedTypeOf(ast),
  fromText: location.fromText || Predicate.isString(actual)
})

const at = (location: Location, path: ParseResult.Path): Location => ({
  path: [...location.path, ...Array.ensure(path).map((key) => Predicate.isSymbol(key) ? String(key) : key)],
  fromText: false
})

const collect = (issue: ParseResult.ParseIssue, location: Location): ReadonlyArray<Finding> => {
  switch (issue._tag) {
    case "Type":
      return [mismatch(issue, location)]
    case "Missing":
      return [finding(location, missingIssue)]
    case "Unexpected":
      return [finding(location, unknownField(String(location.path.at(-1)), []))]
    case "Forbidden":
      return [finding(location, { type: "value_error", msg: "Could not be checked" })]
    case "Pointer":
      return collect(issue.issue, at(location, issue.path))
    default:
      return Option.exists(annotatedMessage(issue, issue.ast), ({ override }) => override)
        ? [mismatch(new ParseResult.Type(issue.ast, issue.actual), location)]
        : collectInside(issue, location)
  }
}

const collectInside = (
  issue: ParseResult.Refinement | ParseResult.Transformation | ParseResult.Composite,
  location: Location
): ReadonlyArray<Finding> =>
  issue._tag !== "Composite"
    ? collect(issue.issue, inside(issue, location))
    : SchemaAST.isUnion(issue.ast)
    ? inUnion(issue, location)
    : SchemaAST.isTupleType(issue.ast)
    ? inList(issue, issue.ast, location)
    : inObject(issue, location)

/** The first `maxIssues` of some issues, without those that repeat the location and type of a later one. */
export const joinIssues = (issues: Array.NonEmptyReadonlyArray<Issue>): Array.NonEmptyReadonlyArray<Issue> => {
  const distinct = new Map(issues.map((issue) => [JSON.stringify([issue.loc, issue.type]), issue]))
  const [first = issues[0], ...rest] = distinct.values()
  return [first, ...rest.slice(0, maxIssues - 1)]
}

/**
 * Converts a parse error to issues with location, type and a plain message. Messages never repeat the received value.
 * Decode with `errors: "all"` to get the issues of every field.
 *
 * A union reports only the member that the value comes closest to, one location and type only the outermost rule, and
 * an error at most `maxIssues` issues.
 *
 * @example
 * ```ts
 * const decode = Schema.decodeUnknown(Body, { errors: "all" })
 * const body = Effect.mapError(decode(json), (error) => new Invalid({ issues: issuesOf(error, "body") }))
 * ```
 */
export const issuesOf = (
  error: ParseResult.ParseError | ParseResult.ParseIssue,
  prefix: "body" | "query" | "path" | "header"
): Array.NonEmptyReadonlyArray<Issue> => {
  const findings = collect(error._tag === "ParseError" ? error.issue : error, { path: [prefix], fromText: false })
  const [first = { loc: [prefix], ...parseIssue(undefined) }, ...rest] = findings.map(({ msg, path, type }): Issue => ({
    loc: path,
    msg,
    type
  }))
  return joinIssues([first, ...rest])
}
