import { issueLimit } from "@trunkline/errors"
import { Array, Effect, Either, ParseResult, Schema, type SchemaAST } from "effect"
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
 * many things are wrong as anybody is told of. `list` says how long it is; its items may be anything. Annotations are those
 * of what is read, such as the JSON Schema that describes it.
 */
export const inPieces = <A, I>(
  list: Schema.Schema<ReadonlyArray<unknown>>,
  item: Schema.Schema<A, I>,
  annotations: SchemaAST.Annotations
): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<unknown>> => {
  const decodeList = ParseResult.decodeUnknownEither(list)
  const decodeItem = ParseResult.decodeUnknownEither(item)
  const read = (
    input: ReadonlyArray<unknown>,
    options: SchemaAST.ParseOptions,
    ast: SchemaAST.AST
  ): Effect.Effect<ReadonlyArray<A>, ParseResult.ParseIssue> =>
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
    })
  // A transformation is read once; a declaration would be twice, wherever a struct has optional fields.
  return Schema.transformOrFail(
    Schema.Array(Schema.Unknown).annotations(annotations),
    Schema.declare((value): value is ReadonlyArray<A> => Array.isArray(value)),
    {
      strict: true,
      decode: read,
      encode: (value, _, ast) => ParseResult.fail(new ParseResult.Forbidden(ast, value, "Bodies are only read"))
    }
  )
}
