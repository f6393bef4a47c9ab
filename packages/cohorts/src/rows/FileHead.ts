import { Invalid, type Issue } from "@trunkline/errors"
import type { TimeZone } from "@trunkline/kernel"
import { Effect, Either, Stream } from "effect"
import { type Cells, CsvError } from "../csv/Csv.js"
import { type CsvFormat, plainFormat } from "../csv/CsvFormat.js"
import { CsvReader } from "../csv/CsvReader.js"
import { isRejectedFile } from "../csv/RejectedRows.js"
import { formLocations, type IssueLocations } from "../transformation/IssueLocations.js"
import type { Transformation } from "../transformation/Transformation.js"
import { hasValue } from "./RowCheck.js"
import { compileRowPlan, fileIssue, headerIssues, type RowPlan, unnamedColumns } from "./RowPlan.js"

/** A file whose header fits its transformation. */
export interface FittedFile {
  readonly header: Cells
  readonly plan: RowPlan
  readonly format: CsvFormat
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

/** Columns without a name that have a value. Files of rejected rows may have them, in rows that are rejected again. */
const unnamedIssues = (header: Cells, row: Cells, locations: IssueLocations): ReadonlyArray<Issue> =>
  isRejectedFile(header)
    ? []
    : unnamedColumns(header).filter((index) => hasValue(row[index])).map((index) =>
      fileIssue(`Column ${index + 1} of the header should have a name, since it has values`, locations)
    )

/** Reads the header and the first row, which is required in some files. A first row that cannot be read counts as one. */
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
    const header = first.right
    if (second === undefined) {
      const issues = requiresRows ? [fileIssue("Should have at least one row of data", locations)] : []
      return { header, issues }
    }
    return { header, issues: Either.isRight(second) ? unnamedIssues(header, second.right, locations) : [] }
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
  /** Time zone of the days of `date` transforms; Asia/Kolkata unless given. */
  readonly timezone?: TimeZone
  /** Locations of issues in the request; those of an upload form unless given. */
  readonly locations?: IssueLocations
}

/** Issues of missing columns, which say how the header was read. */
const tellSeparator = (issues: ReadonlyArray<Issue>, { separator }: CsvFormat): ReadonlyArray<Issue> =>
  issues.map((issue) =>
    issue.loc.at(-1) === "column_name"
      ? { ...issue, msg: `${issue.msg}, read with ${separator}s between cells` }
      : issue
  )

/**
 * Reads a file's header and fits the transformation to it. Fails with every issue of both. The file is read with the
 * `CsvReader`.
 *
 * @example
 * ```ts
 * const { format, header, plan } = yield* fitFile(bytes, { transformation, terms: { requiresRows: false } })
 * ```
 */
export const fitFile = (
  file: Stream.Stream<Uint8Array>,
  { locations = formLocations, terms, timezone, transformation }: FileFit
): Effect.Effect<FittedFile, Invalid> =>
  Effect.gen(function*() {
    const csv = yield* CsvReader
    let format = plainFormat
    const rows = csv.rows(file, (csvFormat) => void (format = csvFormat))
    const { header, issues } = yield* readHead<never>(rows, terms, locations)
    const plan = header === null ? null : compileRowPlan(transformation, header, locations, timezone)
    const unfit = plan !== null && Either.isLeft(plan) ? tellSeparator(plan.left.issues, format) : []
    const [first, ...rest] = [...unfit, ...issues]
    if (first !== undefined) return yield* new Invalid({ issues: [first, ...rest] })
    return header === null || plan === null || Either.isLeft(plan)
      ? yield* Effect.dieMessage("a file without issues has a header")
      : { header, plan: plan.right, format }
  })
