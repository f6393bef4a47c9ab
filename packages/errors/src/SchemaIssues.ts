import { Array, Option, Order, ParseResult, Predicate, SchemaAST } from "effect"
import {
  annotatedType,
  type Complaint,
  declaredGoal,
  type Goal,
  goalOf,
  IssueTypeAnnotation,
  missing,
  unreadable,
  wrongShape
} from "./Complaints.js"
import { refused, tooFewItems, tooManyItems } from "./Filters.js"
import type { Issue, IssueType } from "./Issue.js"

export { IssueTypeAnnotation } from "./Complaints.js"

/**
 * Annotations that say which issue type a schema's own failures are, such as
 * `Schema.filter(isTimeZone, issueType("value_error"))`. On a transformation they also say that its messages may be
 * shown: unannotated ones are replaced, since Effect's own quote the value received.
 */
export const issueType = (type: IssueType): { readonly [IssueTypeAnnotation]: IssueType } => ({
  [IssueTypeAnnotation]: type
})

/** The most issues that one request is told about. */
export const issueLimit = 100

interface Place {
  readonly path: ReadonlyArray<string | number>
  readonly goal?: Goal | undefined
  /** Whether the value came as text, as in a query. */
  readonly fromText: boolean
}

interface Finding extends Complaint {
  readonly path: Place["path"]
  /** The value is of another shape, so that the schema's other complaints do not apply. */
  readonly otherShape: boolean
}

/** The text that the schema's author annotated for this issue, where there is one. */
const annotatedMessage = (issue: ParseResult.ParseIssue, ast: SchemaAST.AST) =>
  Option.flatMap(SchemaAST.getMessageAnnotation(ast), (messageOf) => {
    const message = messageOf(issue)
    return Predicate.isString(message)
      ? Option.some({ msg: message, override: false })
      : "override" in message && Predicate.isString(message.message)
      ? Option.some({ msg: message.message, override: message.override })
      : Option.none()
  })

const complaintOf = ({ actual, ast, message }: ParseResult.Type, { fromText, goal }: Place): Complaint => {
  const written = message === undefined ? {} : { msg: message }
  switch (ast._tag) {
    case "Refinement":
      return {
        ...Option.getOrElse(refused(ast, { actual, fromText }), () => unreadable(declaredGoal(ast))),
        ...written
      }
    case "Transformation":
      return { ...unreadable(declaredGoal(ast) ?? goal), ...(Option.isSome(annotatedType(ast)) && written) }
    default:
      return message === undefined ? wrongShape(ast, actual, goal) : { type: "value_error", msg: message }
  }
}

const isOtherShape = ({ ast, message }: ParseResult.Type) =>
  message === undefined && !SchemaAST.isRefinement(ast) && !SchemaAST.isTransformation(ast)

const mismatch = (issue: ParseResult.Type, place: Place): Finding => {
  const complaint = complaintOf(issue, place)
  return {
    type: Option.getOrElse(annotatedType(issue.ast), () => complaint.type),
    msg: Option.match(annotatedMessage(issue, issue.ast), { onNone: () => complaint.msg, onSome: ({ msg }) => msg }),
    path: place.path,
    otherShape: isOtherShape(issue)
  }
}

const finding = (place: Place, complaint: Complaint): Finding => ({ ...complaint, path: place.path, otherShape: false })

const childrenOf = ({ issues }: ParseResult.Composite) => Array.ensure(issues)

const missingIn = (member: ReadonlyArray<Finding>) => member.filter(({ type }) => type === "missing").length

const byFewest = Order.combine(
  Order.mapInput(Order.number, missingIn),
  Order.mapInput(Order.number, (member: ReadonlyArray<Finding>) => member.length)
)

/** The complaints of the one member that the value comes closest to, or that it is of no member's shape. */
const inUnion = (issue: ParseResult.Composite, place: Place): ReadonlyArray<Finding> => {
  const members = childrenOf(issue).map((child) => walk(child, place))
  const near = members.filter((found) =>
    !found.every(({ otherShape, path }) => otherShape && path.length === place.path.length)
  )
  const [nearest] = Array.sort(near, byFewest)
  return nearest ?? [mismatch(new ParseResult.Type(issue.ast, issue.actual), place)]
}

/** Missing and surplus items are said once of the list, not of each index. */
const inList = (issue: ParseResult.Composite, ast: SchemaAST.TupleType, place: Place): ReadonlyArray<Finding> => {
  const isAbout = (tag: "Missing" | "Unexpected") => (child: ParseResult.ParseIssue) =>
    child._tag === "Pointer" && child.issue._tag === tag
  const [isShort, isLong] = [isAbout("Missing"), isAbout("Unexpected")]
  const children = childrenOf(issue)
  const required = ast.elements.filter(({ isOptional }) => !isOptional).length + Math.max(0, ast.rest.length - 1)
  return [
    ...(children.some(isShort) ? [finding(place, tooFewItems(required))] : []),
    ...(children.some(isLong) ? [finding(place, tooManyItems(ast.elements.length))] : []),
    ...children.filter((child) => !isShort(child) && !isLong(child)).flatMap((child) => walk(child, place))
  ]
}

const inside = ({ actual, ast }: ParseResult.Refinement | ParseResult.Transformation, place: Place): Place => ({
  path: place.path,
  goal: place.goal ?? goalOf(ast),
  fromText: place.fromText || Predicate.isString(actual)
})

const at = (place: Place, path: ParseResult.Path): Place => ({
  path: [...place.path, ...Array.ensure(path).map((key) => Predicate.isSymbol(key) ? String(key) : key)],
  fromText: false
})

const walk = (issue: ParseResult.ParseIssue, place: Place): ReadonlyArray<Finding> => {
  switch (issue._tag) {
    case "Type":
      return [mismatch(issue, place)]
    case "Missing":
      return [finding(place, missing)]
    case "Unexpected":
      return [finding(place, { type: "value_error", msg: "Is not a known field" })]
    case "Forbidden":
      return [finding(place, { type: "value_error", msg: "Could not be checked" })]
    case "Pointer":
      return walk(issue.issue, at(place, issue.path))
    default:
      return Option.exists(annotatedMessage(issue, issue.ast), ({ override }) => override)
        ? [mismatch(new ParseResult.Type(issue.ast, issue.actual), place)]
        : walkInto(issue, place)
  }
}

const walkInto = (
  issue: ParseResult.Refinement | ParseResult.Transformation | ParseResult.Composite,
  place: Place
): ReadonlyArray<Finding> =>
  issue._tag !== "Composite"
    ? walk(issue.issue, inside(issue, place))
    : SchemaAST.isUnion(issue.ast)
    ? inUnion(issue, place)
    : SchemaAST.isTupleType(issue.ast)
    ? inList(issue, issue.ast, place)
    : childrenOf(issue).flatMap((child) => walk(child, place))

/**
 * Everything that is wrong with a request, as shapes 1.2 shows it: where, in plain words, and of which kind. The
 * value received is never repeated. Decode with `errors: "all"`, so that every field is heard. Of a union only the
 * member that the value comes closest to is heard; of one place and kind only the outermost rule; and at most
 * `issueLimit` issues in all.
 */
export const issuesOf = (
  error: ParseResult.ParseError | ParseResult.ParseIssue,
  prefix: "body" | "query" | "path" | "header"
): Array.NonEmptyReadonlyArray<Issue> => {
  const findings = walk(error._tag === "ParseError" ? error.issue : error, { path: [prefix], fromText: false })
  const issues = findings.map(({ msg, path, type }): Issue => ({ loc: path, msg, type }))
  const distinct = new Map(issues.map((issue) => [JSON.stringify([issue.loc, issue.type]), issue]))
  const [first = { loc: [prefix], ...unreadable(undefined) }, ...rest] = distinct.values()
  return [first, ...rest.slice(0, issueLimit - 1)]
}
