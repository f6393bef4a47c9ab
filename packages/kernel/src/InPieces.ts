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

type Decoded<A> = Either.Either<A, ParseResult.ParseIssue>

/** Collects what becomes of the items of a list, no further than until as many things are wrong as anybody is told of. */
const collecting = <A>(items: ReadonlyArray<unknown>, ast: SchemaAST.AST) => {
  const decoded: Array<A> = []
  const issues: Array<ParseResult.ParseIssue> = []
  let wrong = 0
  return {
    /** Takes what became of an item, and tells whether there is any use in the next one. */
    take: (item: Decoded<A>, index: number): boolean => {
      if (Either.isRight(item)) {
        decoded.push(item.right)
      } else {
        issues.push(new ParseResult.Pointer(index, items, item.left))
        wrong += countOf(item.left)
      }
      return wrong < issueLimit
    },
    whole: (): Decoded<ReadonlyArray<A>> =>
      Array.isNonEmptyArray(issues)
        ? Either.left(new ParseResult.Composite(ast, items, issues))
        : Either.right(decoded)
  }
}

/**
 * A list whose items are decoded some at a time, so that others get their turn meanwhile, and no longer than until as
 * many things are wrong as anybody is told of. `list` says how long it is; its items may be anything, also objects with
 * such lists. Annotations are those of what is read, such as the JSON Schema that describes it.
 */
export const inPieces = <A, I>(
  list: Schema.Schema<ReadonlyArray<unknown>>,
  item: Schema.Schema<A, I>,
  annotations: SchemaAST.Annotations
): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<unknown>> => {
  const decodeList = ParseResult.decodeUnknownEither(list)
  const decodeItem = ParseResult.decodeUnknown(item)

  /** A short list; undefined where one of its items needs a pause itself. */
  const shortList = (items: ReadonlyArray<unknown>, options: SchemaAST.ParseOptions, ast: SchemaAST.AST) => {
    const { take, whole } = collecting<A>(items, ast)
    for (const [index, value] of items.entries()) {
      const decoded = ParseResult.eitherOrUndefined(decodeItem(value, options))
      if (decoded === undefined) return undefined
      if (!take(decoded, index)) break
    }
    return whole()
  }

  const longList = (items: ReadonlyArray<unknown>, options: SchemaAST.ParseOptions, ast: SchemaAST.AST) =>
    Effect.gen(function*() {
      const { take, whole } = collecting<A>(items, ast)
      for (const [index, value] of items.entries()) {
        if (index > 0 && index % atOnce === 0) yield* macroTask
        const decoding = decodeItem(value, options)
        const decoded = ParseResult.eitherOrUndefined(decoding) ?? (yield* Effect.either(decoding))
        if (!take(decoded, index)) break
      }
      return yield* whole()
    })

  const read = (
    input: ReadonlyArray<unknown>,
    options: SchemaAST.ParseOptions,
    ast: SchemaAST.AST
  ): Effect.Effect<ReadonlyArray<A>, ParseResult.ParseIssue> => {
    const items = decodeList(input, options)
    if (Either.isLeft(items)) return items
    const short = items.right.length <= atOnce ? shortList(items.right, options, ast) : undefined
    return short ?? longList(items.right, options, ast)
  }

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
