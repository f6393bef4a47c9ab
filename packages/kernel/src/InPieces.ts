import { issueLimit } from "@trunkline/errors"
import { Array, Effect, Either, ParseResult, Schema } from "effect"
import { macroTask } from "./MacroTask.js"

/** Items that are decoded without a pause: some milliseconds' worth. */
const atOnce = 50

/** How many things are wrong with a value. */
const countOf = (issue: ParseResult.ParseIssue): number =>
  issue._tag === "Composite"
    ? Array.ensure(issue.issues).reduce((sum, child) => sum + countOf(child), 0)
    : "issue" in issue
    ? countOf(issue.issue)
    : 1

/**
 * A list whose items are decoded some at a time, so that others get their turn meanwhile, and no longer than until as
 * many things are wrong as anybody is told of. `list` says how long it is; its items may be anything.
 */
export const inPieces = <A, I>(
  list: Schema.Schema<ReadonlyArray<unknown>>,
  item: Schema.Schema<A, I>,
  annotations: { readonly jsonSchema: object }
): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<unknown>> => {
  const decodeList = ParseResult.decodeUnknownEither(list)
  const decodeItem = ParseResult.decodeUnknownEither(item)
  return Schema.declare([], {
    decode: () => (input, options, ast): Effect.Effect<ReadonlyArray<A>, ParseResult.ParseIssue> =>
      Effect.gen(function*() {
        const items = yield* decodeList(input, options)
        const decoded: Array<A> = []
        const issues: Array<ParseResult.ParseIssue> = []
        let wrong = 0
        for (const [index, value] of items.entries()) {
          if (index > 0 && index % atOnce === 0) yield* macroTask
          const result = decodeItem(value, options)
          if (Either.isRight(result)) {
            decoded.push(result.right)
          } else {
            issues.push(new ParseResult.Pointer(index, items, result.left))
            wrong += countOf(result.left)
            if (wrong >= issueLimit) break
          }
        }
        if (Array.isNonEmptyArray(issues)) return yield* Effect.fail(new ParseResult.Composite(ast, input, issues))
        return decoded
      }),
    encode: () => (input, _, ast): Effect.Effect<ReadonlyArray<unknown>, ParseResult.ParseIssue> =>
      ParseResult.fail(new ParseResult.Forbidden(ast, input, "Bodies are only read"))
  }, annotations)
}
