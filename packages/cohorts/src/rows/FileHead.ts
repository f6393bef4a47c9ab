import { Invalid, type Issue } from "@trunkline/errors"
import { Effect, Either, Stream } from "effect"
import { type Cells, CsvError } from "../csv/Csv.js"
import { formLocations, type IssueLocations } from "../transformation/IssueLocations.js"
import type { Transformation } from "../transformation/Transformation.js"
import { compileRowPlan, fileIssue, headerIssues, type RowPlan } from "./RowPlan.js"

/** A file whose header fits its transformation. */
export interface FittedFile {
  readonly header: Cells
  readonly plan: RowPlan
}

/** Requirements checked before the rows are read. */
export interface HeadTerms {
  /** Rejects a file without a data row. */
  readonly requiresRows: boolean
}

interface FileHead {
  /** The header row; null when it cannot be read. */
  readonly header: Cells | null
  readonly issues: ReadonlyArray<Issue>
}

/** Reads the header, and checks for rows where they are required. A first row that cannot be read counts as one. */
const readHead = <E>(
  rows: Stream.Stream<Cells, E | CsvError>,
  { requiresRows }: HeadTerms,
  locations: IssueLocations
): Effect.Effect<FileHead, E> =>
  Effect.gen(function*() {
    const [first, second] = yield* rows.pipe(Stream.either, Stream.take(2), Stream.runCollect)
    if (first === undefined) return { header: null, issues: [fileIssue("Should have a header row", locations)] }
    if (Either.isLeft(first)) {
      return first.left instanceof CsvError
        ? { header: null, issues: [fileIssue(first.left.message, locations)] }
        : yield* Effect.fail(first.left)
    }
    const lacksRows = second === undefined && requiresRows
    return {
      header: first.right,
      issues: lacksRows ? [fileIssue("Should have at least one row of data", locations)] : []
    }
  })

/** Issues of a file's header that do not depend on the transformation. */
export const fileIssues = <E>(
  rows: Stream.Stream<Cells, E | CsvError>,
  terms: HeadTerms
): Effect.Effect<ReadonlyArray<Issue>, E> =>
  Effect.map(
    readHead(rows, terms, formLocations),
    ({ header, issues }) => [...(header === null ? [] : headerIssues(header)), ...issues]
  )

/** Options of `fitFile`. */
export interface FileFit {
  readonly transformation: Transformation
  readonly terms: HeadTerms
  /** Locations of issues in the request; those of an upload form unless given. */
  readonly locations?: IssueLocations
}

/**
 * Reads a file's header and fits the transformation to it. Fails with every issue of both.
 *
 * @example
 * ```ts
 * const { header, plan } = yield* fitFile(csvRows(file), { transformation, terms: { requiresRows: false } })
 * ```
 */
export const fitFile = (
  rows: Stream.Stream<Cells, CsvError>,
  { locations = formLocations, terms, transformation }: FileFit
): Effect.Effect<FittedFile, Invalid> =>
  Effect.gen(function*() {
    const { header, issues } = yield* readHead<never>(rows, terms, locations)
    const plan = header === null ? null : compileRowPlan(transformation, header, locations)
    const [first, ...rest] = [...(plan !== null && Either.isLeft(plan) ? plan.left.issues : []), ...issues]
    if (first !== undefined) return yield* new Invalid({ issues: [first, ...rest] })
    return header === null || plan === null || Either.isLeft(plan)
      ? yield* Effect.dieMessage("a file without issues has a header")
      : { header, plan: plan.right }
  })
