import { Invalid, issuesOf, type RuleViolation } from "@trunkline/errors"
import { Effect, Schema } from "effect"
import { withOwnPaths } from "./IssuePaths.js"

/** Decodes plain values; fails with `Invalid`, with every issue. `name` is that of the value itself, as an argument. */
export const decode = <A, I>(schema: Schema.Schema<A, I>, name: string) => {
  const read = Schema.decodeUnknown(schema, { errors: "all", onExcessProperty: "error" })
  return (input: unknown): Effect.Effect<A, Invalid | RuleViolation> =>
    Effect.mapError(read(input), (error) => withOwnPaths(new Invalid({ issues: issuesOf(error, "body") }), [name]))
}
