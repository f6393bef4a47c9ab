import { macroTask } from "@trunkline/kernel"
import { Chunk, Data, Effect, Either, Stream } from "effect"
import type { CohortResult, CohortUser } from "../Cohort.js"
import type { Cells } from "../csv/CsvReader.js"
import { rejectedCsv } from "../csv/RejectedCsv.js"
import { checkRow, SeenUsers } from "./RowCheck.js"
import type { RowPlan } from "./RowPlan.js"

/** Rows checked and kept at a time; the event loop runs in between. */
const batchRows = 1024

/** The file has more rows than a cohort may have. */
export class TooManyRows extends Data.TaggedError("TooManyRows")<{ readonly limit: number }> {
  override get message() {
    return `The file has more than ${this.limit} rows`
  }
}

/** What an import reads and where its people go. */
export interface RowImport<E, E2> {
  readonly header: Cells
  readonly plan: RowPlan
  /** The records after the header. */
  readonly rows: Stream.Stream<Cells, E>
  readonly maxRows: number
  /** Keeps the people of one batch. */
  readonly keep: (users: ReadonlyArray<CohortUser>) => Effect.Effect<void, E2>
  /** Takes the file of rejected rows while it is made. */
  readonly reject: (file: Stream.Stream<Uint8Array, E | E2 | TooManyRows>) => Effect.Effect<void, E | E2 | TooManyRows>
}

/** Checks every row in order: people go to `keep`, the others into the file that `reject` takes. Answers the counts. */
export const importRows = <E, E2>(
  { header, keep, maxRows, plan, reject, rows }: RowImport<E, E2>
): Effect.Effect<CohortResult, E | E2 | TooManyRows> =>
  Effect.suspend(() => {
    const csv = rejectedCsv(header, plan.phone.index)
    const encoder = new TextEncoder()
    const seen = new SeenUsers()
    let total = 0
    let valid = 0

    const check = (batch: Chunk.Chunk<Cells>) => {
      const users: Array<CohortUser> = []
      let rejected = ""
      for (const cells of batch) {
        total += 1
        Either.match(Either.flatMap(checkRow(plan, total, cells), (checked) => seen.claim(checked)), {
          onLeft: (reasons) => {
            rejected += csv.row(cells, reasons)
          },
          onRight: (user) => users.push(user)
        })
      }
      valid += users.length
      return { users, rejected }
    }

    const take = Effect.fnUntraced(function*(batch: Chunk.Chunk<Cells>) {
      if (total + batch.length > maxRows) return yield* new TooManyRows({ limit: maxRows })
      const { rejected, users } = check(batch)
      if (users.length > 0) yield* keep(users)
      yield* macroTask
      return Chunk.of(encoder.encode(rejected))
    })

    return rows.pipe(
      Stream.rechunk(batchRows),
      Stream.mapChunksEffect(take),
      (lines) => Stream.concat(Stream.succeed(encoder.encode(csv.header)), lines),
      reject,
      Effect.map(() => ({ total_records: total, valid_records: valid, rejected_records: total - valid }))
    )
  })
