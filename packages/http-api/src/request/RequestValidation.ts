import { type Failure, Invalid, type Issue, issuesOf, joinIssues, maxIssues, unknownFields } from "@trunkline/errors"
import { Array, Effect, ParseResult, type Schema, SchemaAST } from "effect"

/** Defect that carries a failure out of code that cannot fail with it. The boundary unwraps it. */
export class RejectedRequest {
  constructor(readonly failure: Failure) {}
}

/** Ends the request with a failure. */
export const rejectRequest = (failure: Failure): Effect.Effect<never> => Effect.die(new RejectedRequest(failure))

/** Message for a text with a NUL, which not every database can store. */
export const noNul = "Must not hold NUL characters"

/** The parameters of a path with another character for each NUL, so that ids with one are as unknown as they must be. */
const withoutNul = (parameters: unknown): unknown =>
  Object.fromEntries(
    Object.entries(parameters ?? {}).map(([name, value]: readonly [string, unknown]) => [
      name,
      typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value
    ])
  )

/** Issues of the parameters of a query that hold a NUL. */
const nulIssues = (parameters: unknown): ReadonlyArray<Issue> =>
  Object.entries(parameters ?? {}).flatMap(([name, given]: readonly [string, unknown]): ReadonlyArray<Issue> => {
    const values: ReadonlyArray<unknown> = Array.ensure(given)
    const hasNul = values.some((value) => typeof value === "string" && value.includes("\0"))
    return hasNul ? [{ loc: ["query", name], msg: noNul, type: "value_error" }] : []
  })

/** Reads a part of a request. Fails with every issue at once, each with its path. */
export type PartReader<A = unknown> = (part: unknown) => Effect.Effect<A, Invalid>

/** Adds the fields that do not exist to the issues that a reader finds. */
const withoutUnknownFields = <Part, A, I>(
  part: "body" | "query",
  schema: Schema.Schema<A, I>,
  read: (value: Part) => Effect.Effect<A, Invalid>
): (value: Part) => Effect.Effect<A, Invalid> => {
  const find = unknownFields(schema)
  return (value) => {
    const unknown = find(value, [part])
    if (!Array.isNonEmptyReadonlyArray(unknown)) return read(value)
    return Effect.matchEffect(read(value), {
      onFailure: ({ issues }) => new Invalid({ issues: joinIssues([...unknown, ...issues]) }),
      onSuccess: () => new Invalid({ issues: unknown })
    })
  }
}

/**
 * Makes the reader of a part of a request, once for each route. A body must not hold fields that do not exist.
 *
 * @param part - The part that the schema decodes, and with which the path of each issue begins.
 */
export const partReader = <A, I>(part: "body" | "query" | "path", schema: Schema.Schema<A, I>): PartReader<A> => {
  const decode = ParseResult.decodeUnknown(schema, { errors: "all" })
  const read = (input: unknown) =>
    ParseResult.mapError(decode(input), (issue) => new Invalid({ issues: issuesOf(issue, part) }))
  switch (part) {
    // NUL characters of bodies are found where they are parsed.
    case "body":
      return withoutUnknownFields(part, schema, read)
    case "path":
      return (input) => read(withoutNul(input))
    case "query":
      return (input) => {
        const issues = nulIssues(input)
        return Array.isNonEmptyReadonlyArray(issues) ? new Invalid({ issues }) : read(input)
      }
  }
}

/** Parameters of a query: a parameter that occurs several times has a list of values. */
export type QueryParameters = Readonly<Record<string, string | Array<string>>>

/** Makes the reader of a query. A parameter that is declared as a list may occur once. */
export const queryReader = <A, I>(
  schema: Schema.Schema<A, I>
): (query: QueryParameters) => Effect.Effect<A, Invalid> => {
  const read = partReader("query", schema)
  const lists = SchemaAST.getPropertySignatures(SchemaAST.encodedAST(schema.ast))
    .filter(({ type }) => SchemaAST.isTupleType(type))
    .map(({ name }) => String(name))
  if (lists.length === 0) return read
  return (query) => {
    const entries = lists.flatMap((name) => typeof query[name] === "string" ? [[name, [query[name]]]] : [])
    return read({ ...query, ...Object.fromEntries(entries) })
  }
}

/** Makes the reader of a query that must not hold parameters that do not exist. */
export const strictQueryReader = <A, I>(schema: Schema.Schema<A, I>) =>
  withoutUnknownFields("query", schema, queryReader(schema))

/** Reads the query of a route that has no parameters. */
export const noQuery = (query: QueryParameters): Effect.Effect<undefined, Invalid> => {
  const issues = Object.keys(query).slice(0, maxIssues).map((name): Issue => ({
    loc: ["query", name],
    msg: "is not a known field; this route has no parameters",
    type: "value_error"
  }))
  return Array.isNonEmptyReadonlyArray(issues) ? new Invalid({ issues }) : Effect.succeed(undefined)
}
