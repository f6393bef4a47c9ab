import { maxIssues, ReadAsAnnotation } from "@trunkline/errors"
import { Array, Effect, Either, ParseResult, Schema, type SchemaAST } from "effect"
import { macroTask } from "../time/Timers.js"

/** Items decoded without a pause: some milliseconds' worth. */
const chunkSize = 50

/** Number of single issues in an issue tree. */
const countIssues = (issue: ParseResult.ParseIssue): number =>
  issue._tag === "Composite"
    ? Array.ensure(issue.issues).reduce((sum, child) => sum + countIssues(child), 0)
    : "issue" in issue
    ? countIssues(issue.issue)
    : 1

type Decoded<A> = Either.Either<A, ParseResult.ParseIssue>

/** Collects decoded items and their issues, up to the number of issues that an error reports. */
const makeCollector = <A>(items: ReadonlyArray<unknown>, ast: SchemaAST.AST) => {
  const values: Array<A> = []
  const issues: Array<ParseResult.ParseIssue> = []
  let issueCount = 0
  return {
    /** Adds the outcome of an item; false once enough issues are known. */
    add: (item: Decoded<A>, index: number): boolean => {
      if (Either.isRight(item)) {
        values.push(item.right)
      } else {
        issues.push(new ParseResult.Pointer(index, items, item.left))
        issueCount += countIssues(item.left)
      }
      return issueCount < maxIssues
    },
    result: (): Decoded<ReadonlyArray<A>> =>
      Array.isNonEmptyArray(issues)
        ? Either.left(new ParseResult.Composite(ast, items, issues))
        : Either.right(values)
  }
}

/**
 * Schema of a long array that is decoded in chunks of 50 items with a pause between them, so that the event loop stays
 * responsive. Decoding stops once as many issues are known as an error reports.
 *
 * `list` checks the length; items may themselves contain such arrays. `annotations` describe the encoded side, such as
 * its JSON Schema. It only decodes: encoding fails.
 */
export const chunkedArray = <A, I>(
  list: Schema.Schema<ReadonlyArray<unknown>>,
  item: Schema.Schema<A, I>,
  annotations: SchemaAST.Annotations
): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<unknown>> => {
  const decodeList = ParseResult.decodeUnknownEither(list)
  const decodeItem = ParseResult.decodeUnknown(item)

  /** Decodes a short array synchronously; undefined if decoding an item is asynchronous. */
  const decodeSync = (items: ReadonlyArray<unknown>, options: SchemaAST.ParseOptions, ast: SchemaAST.AST) => {
    const { add, result } = makeCollector<A>(items, ast)
    for (const [index, value] of items.entries()) {
      const outcome = ParseResult.eitherOrUndefined(decodeItem(value, options))
      if (outcome === undefined) return undefined
      if (!add(outcome, index)) break
    }
    return result()
  }

  const decodeAsync = (items: ReadonlyArray<unknown>, options: SchemaAST.ParseOptions, ast: SchemaAST.AST) =>
    Effect.gen(function*() {
      const { add, result } = makeCollector<A>(items, ast)
      for (const [index, value] of items.entries()) {
        if (index > 0 && index % chunkSize === 0) yield* macroTask
        const decoding = decodeItem(value, options)
        const outcome = ParseResult.eitherOrUndefined(decoding) ?? (yield* Effect.either(decoding))
        if (!add(outcome, index)) break
      }
      return yield* result()
    })

  const decode = (
    input: ReadonlyArray<unknown>,
    options: SchemaAST.ParseOptions,
    ast: SchemaAST.AST
  ): Effect.Effect<ReadonlyArray<A>, ParseResult.ParseIssue> => {
    const items = decodeList(input, options)
    if (Either.isLeft(items)) return Either.left(items.left)
    const short = items.right.length <= chunkSize ? decodeSync(items.right, options, ast) : undefined
    return short ?? decodeAsync(items.right, options, ast)
  }

  // A transformation is decoded once; a declaration would be decoded twice inside a struct with optional fields.
  return Schema.transformOrFail(
    Schema.Array(Schema.Unknown).annotations({ ...annotations, [ReadAsAnnotation]: Schema.Array(item).ast }),
    Schema.declare((value): value is ReadonlyArray<A> => Array.isArray(value)),
    {
      strict: true,
      decode,
      encode: (value, _, ast) => ParseResult.fail(new ParseResult.Forbidden(ast, value, "Bodies are only read"))
    }
  )
}
