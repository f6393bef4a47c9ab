import { Invalid, type Issue } from "@trunkline/errors"
import { Effect, Either, Stream } from "effect"
import { type Cells, CsvBroken } from "../csv/CsvReader.js"
import { type CohortPlaces, formPlaces } from "../transformation/Places.js"
import type { Transformation } from "../transformation/Transformation.js"
import { compile, fileIssue, headerIssues, type RowPlan } from "./RowPlan.js"

/** What is known of a file once its header fits. */
export interface FittedFile {
  readonly header: Cells
  readonly plan: RowPlan
}

/** What is asked of a file before its rows are read. */
export interface HeadTerms {
  /** Whether a file without a single data row is refused. */
  readonly requiresRows: boolean
}

interface FileHead {
  /** The header row; null when it cannot be read. */
  readonly header: Cells | null
  readonly issues: ReadonlyArray<Issue>
}

/** Reads the header, and whether there are rows, where they are required; a first row that cannot be read is one. */
const readHead = <E>(
  rows: Stream.Stream<Cells, E | CsvBroken>,
  { requiresRows }: HeadTerms,
  places: CohortPlaces
): Effect.Effect<FileHead, E> =>
  Effect.gen(function*() {
    const [first, second] = yield* rows.pipe(Stream.either, Stream.take(2), Stream.runCollect)
    if (first === undefined) return { header: null, issues: [fileIssue("Should have a header row", places)] }
    if (Either.isLeft(first)) {
      return first.left instanceof CsvBroken
        ? { header: null, issues: [fileIssue(first.left.message, places)] }
        : yield* Effect.fail(first.left)
    }
    const rowless = second === undefined && requiresRows
    return { header: first.right, issues: rowless ? [fileIssue("Should have at least one row of data", places)] : [] }
  })

/** What is wrong with the head of a file whatever the transformation says, to be told with the issues of the form. */
export const fileIssues = <E>(
  rows: Stream.Stream<Cells, E | CsvBroken>,
  terms: HeadTerms
): Effect.Effect<ReadonlyArray<Issue>, E> =>
  Effect.map(
    readHead(rows, terms, formPlaces),
    ({ header, issues }) => [...(header === null ? [] : headerIssues(header)), ...issues]
  )

/** What a file is read with. */
export interface FileFit {
  readonly transformation: Transformation
  readonly terms: HeadTerms
  /** Where issues are said to be; in the form of an upload, unless given. */
  readonly places?: CohortPlaces
}

/** Reads a file's header and fits the transformation to it (shapes 4.4); every issue of both is told. */
export const fitFile = (
  rows: Stream.Stream<Cells, CsvBroken>,
  { places = formPlaces, terms, transformation }: FileFit
): Effect.Effect<FittedFile, Invalid> =>
  Effect.gen(function*() {
    const { header, issues } = yield* readHead<never>(rows, terms, places)
    const plan = header === null ? null : compile(transformation, header, places)
    const [first, ...rest] = [...(plan !== null && Either.isLeft(plan) ? plan.left.issues : []), ...issues]
    if (first !== undefined) return yield* new Invalid({ issues: [first, ...rest] })
    return header === null || plan === null || Either.isLeft(plan)
      ? yield* Effect.dieMessage("a file without issues has a header")
      : { header, plan: plan.right }
  })
