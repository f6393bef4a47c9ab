import { Chunk, Data, Effect, Either, Option, Random, Stream } from "effect"
import { type CohortUser, type ImportProgress, noProgress } from "../Cohort.js"
import type { Cells } from "../csv/Csv.js"
import { type CsvFormat, plainFormat } from "../csv/CsvFormat.js"
import { rejectedCsv } from "../csv/CsvWriter.js"
import { checkRow } from "../rows/RowCheck.js"
import type { RowPlan } from "../rows/RowPlan.js"
import { SeenUsers } from "../rows/SeenUsers.js"
import { pause, rowBatches } from "./RowBatches.js"

/** Work between pauses, in units of `RowPlan.work`: a few milliseconds. */
export const workPerTurn = 10_000

/** Most characters in a batch, unless a single user has more. */
const batchCharacters = 1_000_000

/** Most characters of all users and rejected rows: eight times the largest file's bytes. */
const defaultMaxCharacters = 800_000_000

/** The file has more rows than allowed. */
export class TooManyRows extends Data.TaggedError("TooManyRows")<{ readonly limit: number }> {
  override get message() {
    return `The file has more than ${this.limit} rows`
  }
}

/** The transformation expands the file to more text than allowed. */
export class TooMuchText extends Data.TaggedError("TooMuchText")<{ readonly limit: number }> {
  override get message() {
    return `The transformation expands the file to more than ${this.limit} characters`
  }
}

/** The rows stored so far differ from those of the file: the file or the rules have changed. */
export class FileChanged extends Data.TaggedError("FileChanged") {
  override get message() {
    return "The file has changed since its first rows were stored"
  }
}

/** The users of consecutive rows, with the progress up to the last of them. */
export interface RowBatch {
  readonly users: ReadonlyArray<CohortUser>
  readonly progress: ImportProgress
}

/** Input and output of `importRows`. */
export interface RowImport<E, E2> {
  readonly header: Cells
  readonly plan: RowPlan
  /** Format of the file of rejected rows; with commas unless given. */
  readonly format?: CsvFormat
  /** The records of the file, without the header. */
  readonly rows: Stream.Stream<Cells, E>
  /** Most rows of the file. */
  readonly maxRows: number
  /** Most characters of all users and rejected rows; 800 million unless given. */
  readonly maxCharacters?: number
  /** Progress of an earlier run: its rows are read again, but not stored again. None unless given. */
  readonly after?: ImportProgress
  /** Share of the file read so far, from 0 to 100; 0 unless given. */
  readonly percent?: () => number
  /** Called for every user in the order of the rows, including those of an earlier run. */
  readonly onValid?: (user: CohortUser) => void
  /** Stores a batch of users. */
  readonly keep: (batch: RowBatch) => Effect.Effect<void, E2>
  /** Consumes the file of rejected rows while it is made; it must read the stream to its end. */
  readonly reject: (
    file: Stream.Stream<Uint8Array, E | E2 | ImportRowsError>
  ) => Effect.Effect<void, E | E2 | ImportRowsError>
}

/** Errors of `importRows` itself. */
export type ImportRowsError = TooManyRows | TooMuchText | FileChanged

const countCharacters = ({ agent_variables, app_overrides, user_identifier }: CohortUser): number => {
  let characters = user_identifier.length
  for (const variable in agent_variables) characters += agent_variables[variable]?.length ?? 0
  for (const text of Object.values(app_overrides)) characters += text?.length ?? 0
  return characters
}

/**
 * Checks every row in order: valid rows go to `keep` as users, the others into the file for `reject`. Returns the counts.
 *
 * An import depends on its file and plan only. So an interrupted one resumes by reading the file again from the start,
 * which finds the same duplicates, and by storing the rows after the last stored batch.
 */
export const importRows = <E, E2>(
  {
    after = noProgress,
    format = plainFormat,
    header,
    keep,
    maxCharacters = defaultMaxCharacters,
    maxRows,
    onValid = () => undefined,
    percent = () => 0,
    plan,
    reject,
    rows
  }: RowImport<E, E2>
): Effect.Effect<ImportProgress, E | E2 | ImportRowsError> =>
  Effect.flatMap(Random.nextInt, (seed) => {
    const csv = rejectedCsv(header, plan.phone.index, format)
    const encoder = new TextEncoder()
    const seenUsers = new SeenUsers(seed | 0)
    let total = 0
    let valid = 0

    const progress = (): ImportProgress => ({
      total_records: total,
      valid_records: valid,
      rejected_records: total - valid,
      percent: percent()
    })

    let users: Array<CohortUser> = []
    let rejectedText = ""
    let characters = 0
    let totalCharacters = 0
    let work = 0

    const check = (cells: Cells) => {
      total += 1
      work += plan.work
      const outcome = Either.flatMap(checkRow(plan, total, cells), (row) => seenUsers.claim(row))
      if (Either.isLeft(outcome)) {
        const line = csv.row(cells, outcome.left)
        rejectedText += line
        characters += line.length
      } else {
        valid += 1
        onValid(outcome.right)
        if (total > after.total_records) users.push(outcome.right)
        characters += countCharacters(outcome.right)
      }
    }

    const matchesEarlierRun = () => total !== after.total_records || valid === after.valid_records

    /** Stores the users since the last flush, and returns the lines of the rejected rows since then. */
    const flush = Effect.suspend((): Effect.Effect<ReadonlyArray<Uint8Array>, E2 | TooMuchText> => {
      const lines = rejectedText === "" ? [] : [encoder.encode(rejectedText)]
      const batch = { users, progress: progress() }
      totalCharacters += characters
      users = []
      rejectedText = ""
      characters = 0
      if (totalCharacters > maxCharacters) return Effect.fail(new TooMuchText({ limit: maxCharacters }))
      return Effect.as(total > after.total_records ? keep(batch) : Effect.void, lines)
    })

    const processBatch = Effect.fnUntraced(function*(batch: ReadonlyArray<Cells>) {
      if (total + batch.length > maxRows) return yield* new TooManyRows({ limit: maxRows })
      const lines: Array<Uint8Array> = []
      for (const cells of batch) {
        check(cells)
        if (!matchesEarlierRun()) return yield* new FileChanged()
        if (characters >= batchCharacters) lines.push(...(yield* flush))
        if (work >= workPerTurn) {
          work = 0
          yield* pause
        }
      }
      lines.push(...(yield* flush))
      return Chunk.unsafeFromArray(lines)
    })

    const lines: Stream.Stream<Uint8Array, E | E2 | ImportRowsError> = Stream.unwrapScoped(
      Effect.map(rowBatches<E | E2 | ImportRowsError>(rows), (next) =>
        Stream.repeatEffectChunkOption(
          Effect.flatMap(
            next,
            (batch) => Effect.mapError(processBatch(batch), (error) => Option.some<E | E2 | ImportRowsError>(error))
          )
        ))
    )

    let isEnded = false
    const file = Stream.concat(Stream.succeed(encoder.encode(csv.header)), lines).pipe(
      Stream.concat(Stream.execute(Effect.sync(() => isEnded = true)))
    )
    return reject(file).pipe(
      Effect.filterOrDieMessage(() => isEnded, "`reject` must read the file of rejected rows to its end"),
      Effect.filterOrFail(() => total >= after.total_records, () => new FileChanged()),
      Effect.map(progress)
    )
  })
