import { Invalid, issuesOf, type RuleViolation } from "@trunkline/errors"
import { Effect, Schema } from "effect"
import { withOwnPaths } from "./IssuePaths.js"

/** Decodes plain values; fails with `Invalid`, with every issue. */
export const decode = <A, I>(schema: Schema.Schema<A, I>) => {
  const read = Schema.decodeUnknown(schema, { errors: "all", onExcessProperty: "error" })
  return (input: unknown): Effect.Effect<A, Invalid | RuleViolation> =>
    Effect.mapError(read(input), (error) => withOwnPaths(new Invalid({ issues: issuesOf(error, "body") })))
}
