import { Cause, Chunk, Data, Effect, Either, Option, Random, type Scope, Stream } from "effect"
import { type CohortUser, type ImportProgress, noProgress } from "../Cohort.js"
import type { Cells } from "../csv/CsvReader.js"
import { rejectedCsv } from "../csv/RejectedCsv.js"
import { checkRow, SeenUsers } from "../rows/RowCheck.js"
import type { RowPlan } from "../rows/RowPlan.js"
import { pause } from "./Pause.js"

/** Rows checked and kept at a time. */
const batchRows = 1000

/** The file has more rows than a cohort may have. */
export class TooManyRows extends Data.TaggedError("TooManyRows")<{ readonly limit: number }> {
  override get message() {
    return `The file has more than ${this.limit} rows`
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
  /** Up to where people have been kept already: those rows are read again, but not kept again. From the start, unless given. */
  readonly after?: ImportProgress
  /** How much of the file has been read, from 0 to 100; 0, unless given. */
  readonly percent?: () => number
  /** Hears of every person in the order of the rows, of those who have been kept already too. */
  readonly onValid?: (user: CohortUser) => void
  /** Keeps the people of one batch. */
  readonly keep: (batch: RowBatch) => Effect.Effect<void, E2>
  /** Takes the file of rejected rows while it is made. */
  readonly reject: (
    file: Stream.Stream<Uint8Array, E | E2 | TooManyRows | Diverged>
  ) => Effect.Effect<void, E | E2 | TooManyRows | Diverged>
}

/** Takes a stream of rows in equal batches, the last one shorter. Pulling is twice as fast as another stage of stream. */
const batchesOf = <E>(
  rows: Stream.Stream<Cells, E>
): Effect.Effect<Effect.Effect<ReadonlyArray<Cells>, Option.Option<E>>, never, Scope.Scope> =>
  Effect.map(Stream.toPull(rows), (pull) => {
    let waiting: Array<Cells> = []
    let ended = false
    const fill = Effect.matchCauseEffect(pull, {
      onSuccess: (chunk) => Effect.sync(() => void waiting.push(...chunk)),
      onFailure: (cause) =>
        Option.contains(Cause.failureOption(cause), Option.none())
          ? Effect.sync(() => void (ended = true))
          : Effect.failCause(cause)
    })
    return Effect.gen(function*() {
      while (!ended && waiting.length < batchRows) yield* fill
      if (waiting.length === 0) return yield* Effect.fail(Option.none())
      const batch = waiting.slice(0, batchRows)
      waiting = waiting.slice(batchRows)
      return batch
    })
  })

/**
 * Checks every row in order: people go to `keep`, the others into the file that `reject` takes. Answers the counts.
 *
 * What an import does depends on its file and plan alone. So one that was cut off goes on by reading the file again
 * from the start, which remembers the numbers it has seen, and keeping what comes after the last batch that was kept.
 */
export const importRows = <E, E2>(
  { after = noProgress, header, keep, maxRows, onValid = () => undefined, percent = () => 0, plan, reject, rows }:
    RowImport<E, E2>
): Effect.Effect<ImportProgress, E | E2 | TooManyRows | Diverged> =>
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

    const isAsBefore = () => total !== after.total_records || valid === after.valid_records

    const check = (batch: ReadonlyArray<Cells>) => {
      const users: Array<CohortUser> = []
      let rejected = ""
      let asBefore = true
      for (const cells of batch) {
        total += 1
        const checked = Either.flatMap(checkRow(plan, total, cells), (row) => seen.claim(row))
        if (Either.isLeft(checked)) rejected += csv.row(cells, checked.left)
        else {
          valid += 1
          onValid(checked.right)
          if (total > after.total_records) users.push(checked.right)
        }
        asBefore &&= isAsBefore()
      }
      return { users, rejected, asBefore }
    }

    const take = Effect.fnUntraced(function*(batch: ReadonlyArray<Cells>) {
      if (total + batch.length > maxRows) return yield* new TooManyRows({ limit: maxRows })
      const { asBefore, rejected, users } = check(batch)
      if (!asBefore) return yield* new Diverged()
      if (total > after.total_records) yield* keep({ users, progress: progress() })
      yield* pause
      return rejected === "" ? Chunk.empty<Uint8Array>() : Chunk.of(encoder.encode(rejected))
    })

    type Failure = E | E2 | TooManyRows | Diverged
    const lines: Stream.Stream<Uint8Array, Failure> = Stream.unwrapScoped(
      Effect.map(batchesOf<Failure>(rows), (next) =>
        Stream.repeatEffectChunkOption(
          Effect.flatMap(next, (batch) => Effect.mapError(take(batch), (error) => Option.some<Failure>(error)))
        ))
    )

    return Stream.concat(Stream.succeed(encoder.encode(csv.header)), lines).pipe(
      reject,
      Effect.filterOrFail(() => total >= after.total_records, () => new Diverged()),
      Effect.map(progress)
    )
  })
