import { Chunk, Data, Effect, Either, Option, Random, Stream } from "effect"
import { type CohortUser, type ImportProgress, noProgress } from "../Cohort.js"
import type { Cells } from "../csv/CsvReader.js"
import { rejectedCsv } from "../csv/RejectedCsv.js"
import { checkRow } from "../rows/RowCheck.js"
import type { RowPlan } from "../rows/RowPlan.js"
import { SeenUsers } from "../rows/SeenUsers.js"
import { pause } from "./Pause.js"
import { rowBatches } from "./RowBatches.js"

/** How much work is done without a pause, in units of `RowPlan.work`: a few milliseconds'. */
const workAtOnce = 10_000

/** The most characters that are kept together, unless a single person has more. */
const batchCharacters = 1_000_000

/** The most characters of all people and rejected rows together: eight times the largest file's bytes. */
const longestText = 800_000_000

/** The file has more rows than a cohort may have. */
export class TooManyRows extends Data.TaggedError("TooManyRows")<{ readonly limit: number }> {
  override get message() {
    return `The file has more than ${this.limit} rows`
  }
}

/** The transformation makes more of a file than can be kept. */
export class TooMuchText extends Data.TaggedError("TooMuchText")<{ readonly limit: number }> {
  override get message() {
    return `The transformation makes more than ${this.limit} characters of the file`
  }
}

/** The rows that were kept before do not come out of the file as they did: it or the rules have changed. */
export class Diverged extends Data.TaggedError("Diverged") {
  override get message() {
    return "The file no longer reads as it did when its first rows were kept"
  }
}

/** The people of some rows that follow each other, and how far the file has been read with them. */
export interface RowBatch {
  readonly users: ReadonlyArray<CohortUser>
  readonly progress: ImportProgress
}

/** What an import reads and where its people go. */
export interface RowImport<E, E2> {
  readonly header: Cells
  readonly plan: RowPlan
  /** The records after the header. */
  readonly rows: Stream.Stream<Cells, E>
  readonly maxRows: number
  /** The most characters that people and rejected rows may have altogether; 800 million, unless given. */
  readonly maxCharacters?: number
  /** Up to where people have been kept already: those rows are read again, but not kept again. From the start, unless given. */
  readonly after?: ImportProgress
  /** How much of the file has been read, from 0 to 100; 0, unless given. */
  readonly percent?: () => number
  /** Hears of every person in the order of the rows, of those who have been kept already too. */
  readonly onValid?: (user: CohortUser) => void
  /** Keeps the people of one batch. */
  readonly keep: (batch: RowBatch) => Effect.Effect<void, E2>
  /** Takes the file of rejected rows while it is made, and has to read it to its end. */
  readonly reject: (file: Stream.Stream<Uint8Array, E | E2 | ImportFault>) => Effect.Effect<void, E | E2 | ImportFault>
}

/** What an import itself fails with. */
export type ImportFault = TooManyRows | TooMuchText | Diverged

const charactersOf = ({ agent_variables, app_overrides, user_identifier }: CohortUser): number => {
  let characters = user_identifier.length
  for (const variable in agent_variables) characters += agent_variables[variable]?.length ?? 0
  for (const text of Object.values(app_overrides)) characters += text?.length ?? 0
  return characters
}

/**
 * Checks every row in order: people go to `keep`, the others into the file that `reject` takes. Answers the counts.
 *
 * What an import does depends on its file and plan alone. So one that was cut off goes on by reading the file again
 * from the start, which remembers the numbers it has seen, and keeping what comes after the last batch that was kept.
 */
export const importRows = <E, E2>(
  {
    after = noProgress,
    header,
    keep,
    maxCharacters = longestText,
    maxRows,
    onValid = () => undefined,
    percent = () => 0,
    plan,
    reject,
    rows
  }: RowImport<E, E2>
): Effect.Effect<ImportProgress, E | E2 | ImportFault> =>
  Effect.flatMap(Random.nextInt, (seed) => {
    const csv = rejectedCsv(header, plan.phone.index)
    const encoder = new TextEncoder()
    const seen = new SeenUsers(seed | 0)
    let total = 0
    let valid = 0

    const progress = (): ImportProgress => ({
      total_records: total,
      valid_records: valid,
      rejected_records: total - valid,
      percent: percent()
    })

    let users: Array<CohortUser> = []
    let rejected = ""
    let characters = 0
    let written = 0
    let work = 0

    const check = (cells: Cells) => {
      total += 1
      work += plan.work
      const checked = Either.flatMap(checkRow(plan, total, cells), (row) => seen.claim(row))
      if (Either.isLeft(checked)) {
        const line = csv.row(cells, checked.left)
        rejected += line
        characters += line.length
      } else {
        valid += 1
        onValid(checked.right)
        if (total > after.total_records) users.push(checked.right)
        characters += charactersOf(checked.right)
      }
    }

    const isAsBefore = () => total !== after.total_records || valid === after.valid_records

    /** Keeps what was checked since the last time, and gives the lines of the rejected rows among it. */
    const flush = Effect.suspend((): Effect.Effect<ReadonlyArray<Uint8Array>, E2 | TooMuchText> => {
      const lines = rejected === "" ? [] : [encoder.encode(rejected)]
      const batch = { users, progress: progress() }
      written += characters
      users = []
      rejected = ""
      characters = 0
      if (written > maxCharacters) return Effect.fail(new TooMuchText({ limit: maxCharacters }))
      return Effect.as(total > after.total_records ? keep(batch) : Effect.void, lines)
    })

    const take = Effect.fnUntraced(function*(batch: ReadonlyArray<Cells>) {
      if (total + batch.length > maxRows) return yield* new TooManyRows({ limit: maxRows })
      const lines: Array<Uint8Array> = []
      for (const cells of batch) {
        check(cells)
        if (!isAsBefore()) return yield* new Diverged()
        if (characters >= batchCharacters) lines.push(...(yield* flush))
        if (work >= workAtOnce) {
          work = 0
          yield* pause
        }
      }
      lines.push(...(yield* flush))
      return Chunk.unsafeFromArray(lines)
    })

    const lines: Stream.Stream<Uint8Array, E | E2 | ImportFault> = Stream.unwrapScoped(
      Effect.map(rowBatches<E | E2 | ImportFault>(rows), (next) =>
        Stream.repeatEffectChunkOption(
          Effect.flatMap(next, (batch) =>
            Effect.mapError(take(batch), (error) => Option.some<E | E2 | ImportFault>(error)))
        ))
    )

    let ended = false
    const file = Stream.concat(Stream.succeed(encoder.encode(csv.header)), lines).pipe(
      Stream.concat(Stream.execute(Effect.sync(() =>
        ended = true
      )))
    )
    return reject(file).pipe(
      Effect.filterOrDieMessage(() => ended, "`reject` has to read the file of rejected rows to its end"),
      Effect.filterOrFail(() => total >= after.total_records, () => new Diverged()),
      Effect.map(progress)
    )
  })
