import { issuesOf } from "@trunkline/errors"
import { Either, Schema } from "effect"

/** Paths and types of the issues of a value; empty for a valid one. */
export const issueTypes = <A, I>(schema: Schema.Schema<A, I>, value: unknown): ReadonlyArray<string> =>
  Either.match(Schema.decodeUnknownEither(schema, { errors: "all" })(value), {
    onRight: () => [],
    onLeft: (error) => issuesOf(error, "query").map(({ loc, type }) => [...loc.slice(1), type].join(" "))
  })
