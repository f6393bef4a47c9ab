import { Invalid, issuesOf } from "@trunkline/errors"
import type { Schema } from "effect"
import { refuse } from "./Refused.js"

/** Makes a schema of a request say everything that is wrong at once, and in which part (shapes 1.2). */
export const checked = <A, I, R>(
  part: "body" | "query" | "path",
  schema: Schema.Schema<A, I, R>
): Schema.Schema<A, I, R> =>
  schema.annotations({
    parseOptions: { errors: "all" },
    decodingFallback: (issue) => refuse(new Invalid({ issues: issuesOf(issue, part) }))
  })
