import { Invalid } from "@trunkline/errors"
import { PhoneNumber, TimeZone } from "@trunkline/kernel"
import { Chunk, Effect, Either, Random, Schema, Stream } from "effect"
import { type CohortUser, OverrideName } from "../Cohort.js"
import type { Cells } from "../csv/Csv.js"
import { CsvSeparator, plainFormat } from "../csv/CsvFormat.js"
import { CsvReader } from "../csv/CsvReader.js"
import { workPerTurn } from "../imports/ImportRows.js"
import { pause } from "../imports/RowBatches.js"
import { checkRow } from "../rows/RowCheck.js"
import { compileRowPlan, type RowPlan } from "../rows/RowPlan.js"
import { SeenUsers } from "../rows/SeenUsers.js"
import type { IssueLocations } from "../transformation/IssueLocations.js"
import { decodeTransformation } from "../transformation/Transformation.js"

/** Longest beginning of a file that a preview reads, in UTF-16 units. */
export const previewCharacters = 262_144

/** Most rows of each kind in a preview. */
const shownRows = 20

/** Body of a request for a preview: the beginning of a CSV file, in whole rows, and what its columns are. */
export const CohortPreviewRequest = Schema.Struct({
  csv: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(previewCharacters)),
  /** JSON of a `Transformation`; without it, only the columns are returned. */
  cohort_transformation: Schema.optional(Schema.Unknown),
  /** Time zone of the days of `date` transforms; Asia/Kolkata by default. */
  timezone: Schema.optional(TimeZone)
})
export type CohortPreviewRequest = typeof CohortPreviewRequest.Type

/** Result that an upload of the same rows would have. */
export const CohortPreview = Schema.Struct({
  separator: CsvSeparator,
  columns: Schema.Array(Schema.String),
  /** The first 20 users. */
  accepted: Schema.Array(
    Schema.Struct({
      user_phone_number: PhoneNumber,
      user_identifier: Schema.String,
      app_variables: Schema.Record({ key: Schema.String, value: Schema.String }),
      app_overrides: Schema.partial(Schema.Record({ key: OverrideName, value: Schema.String }))
    })
  ),
  /** The first 20 rejected rows, with the codes of their reasons. */
  rejected: Schema.Array(
    Schema.Struct({ values: Schema.Array(Schema.String), reasons: Schema.Array(Schema.String) })
  ),
  total_records: Schema.Int,
  valid_records: Schema.Int,
  rejected_records: Schema.Int
}).annotations({ identifier: "CohortPreview" })
export type CohortPreview = typeof CohortPreview.Type

const locations: IssueLocations = { file: ["body", "csv"], transformation: ["body", "cohort_transformation"] }

interface Checked {
  readonly users: ReadonlyArray<CohortUser>
  readonly rejected: CohortPreview["rejected"]
  readonly valid: number
}

const emptyCheck: Checked = { users: [], rejected: [], valid: 0 }

/** Checks all rows, and keeps the first of each kind. It pauses for other work as an import does. */
const checkRows = (plan: RowPlan, rows: ReadonlyArray<Cells>): Effect.Effect<Checked> =>
  Effect.gen(function*() {
    const seenUsers = new SeenUsers((yield* Random.nextInt) | 0)
    const users: Array<CohortUser> = []
    const rejected: Array<CohortPreview["rejected"][number]> = []
    let [valid, work] = [0, 0]
    for (const [index, values] of rows.entries()) {
      const outcome = Either.flatMap(checkRow(plan, index + 1, values), (row) => seenUsers.claim(row))
      if (Either.isRight(outcome)) {
        if (valid++ < shownRows) users.push(outcome.right)
      } else if (rejected.length < shownRows) rejected.push({ values, reasons: outcome.left })
      work += plan.work
      if (work < workPerTurn) continue
      work = 0
      yield* pause
    }
    return { users, rejected, valid }
  })

const planOf = ({ cohort_transformation, timezone }: CohortPreviewRequest, header: Cells) =>
  cohort_transformation === undefined
    ? Either.right(null)
    : Either.flatMap(
      decodeTransformation(cohort_transformation, null),
      (transformation) => compileRowPlan(transformation, header, locations, timezone)
    )

/**
 * Reads the beginning of a CSV file as an upload would, and stores nothing. Fails with every issue of the transformation and of
 * the header. Duplicates are found among the rows that it is given.
 */
export const previewCohort = Effect.fn("Cohorts.preview")(function*(request: CohortPreviewRequest) {
  const csv = yield* CsvReader
  let format = plainFormat
  const bytes = Stream.succeed(new TextEncoder().encode(request.csv))
  const [header, ...rows] = yield* csv.rows(bytes, (read) => void (format = read)).pipe(
    Stream.runCollect,
    Effect.map(Chunk.toReadonlyArray),
    Effect.mapError((error) => Invalid.at(locations.file, "value_error", error.message))
  )
  if (header === undefined) {
    return yield* Effect.fail(Invalid.at(locations.file, "value_error", "Should have a header row"))
  }
  const plan = yield* planOf(request, header)
  const { rejected, users, valid } = plan === null ? emptyCheck : yield* checkRows(plan, rows)
  const preview: CohortPreview = {
    separator: format.separator,
    columns: header,
    accepted: users.map((
      { agent_variables, app_overrides, user_identifier, user_phone_number }
    ) => ({
      user_phone_number,
      user_identifier,
      app_variables: agent_variables,
      app_overrides
    })),
    rejected,
    total_records: rows.length,
    valid_records: valid,
    rejected_records: plan === null ? 0 : rows.length - valid
  }
  return preview
})
