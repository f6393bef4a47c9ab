import { type Failure, Invalid, issuesOf } from "@trunkline/errors"
import { Effect, type Schema } from "effect"

/**
 * Defect that carries a failure out of code that cannot fail with it. HttpApi replaces every decoding issue with its own
 * error, which loses the details, and reads bodies only with effects that never fail. The boundary unwraps it.
 */
export class RejectedRequest {
  constructor(readonly failure: Failure) {}
}

/** Ends the request with a failure. */
export const rejectRequest = (failure: Failure): Effect.Effect<never> => Effect.die(new RejectedRequest(failure))

/**
 * Makes a request schema report every issue at once, each with its path, as a 422.
 *
 * @param part - The part of the request that the schema decodes, and with which the path of each issue begins.
 */
export const validate = <A, I, R>(
  part: "body" | "query" | "path",
  schema: Schema.Schema<A, I, R>
): Schema.Schema<A, I, R> =>
  schema.annotations({
    parseOptions: { errors: "all" },
    decodingFallback: (issue) => rejectRequest(new Invalid({ issues: issuesOf(issue, part) }))
  })
