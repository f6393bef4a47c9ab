import type { CohortId } from "@trunkline/kernel"
import { Effect, Option, Stream } from "effect"
import { type Cells, type CsvBroken, CsvReader } from "../csv/CsvReader.js"
import { CohortFileType, fileKey } from "./CohortFile.js"
import { FileStore } from "./FileStore.js"

/** The files of cohorts in the `FileStore`, as the parts of this package use them. */
export const cohortFiles = Effect.gen(function*() {
  const files = yield* FileStore
  const csv = yield* CsvReader

  const read = (id: CohortId, type: CohortFileType) => files.read(fileKey(id, type))

  const bytesOf = (id: CohortId, type: CohortFileType) =>
    Stream.unwrap(Effect.map(read(id, type), Option.getOrElse(() => Stream.empty)))

  return {
    read,
    keep: <E>(id: CohortId, type: CohortFileType, bytes: Stream.Stream<Uint8Array, E>) =>
      files.write(fileKey(id, type), bytes),
    /** The records of the file that was uploaded, the header first; `onRead` hears how many bytes were taken from it. */
    rows: (id: CohortId, onRead?: (bytes: number) => void): Stream.Stream<Cells, CsvBroken> =>
      csv.rows(
        onRead === undefined
          ? bytesOf(id, "cohort")
          : Stream.map(bytesOf(id, "cohort"), (bytes) => (onRead(bytes.length), bytes))
      ),
    /** The bytes of a file; 0 when it is not there. */
    size: (id: CohortId, type: CohortFileType) => Effect.map(files.size(fileKey(id, type)), Option.getOrElse(() => 0)),
    /** Removes every file of a cohort. */
    remove: (id: CohortId) =>
      Effect.forEach(CohortFileType.literals, (type) => files.remove(fileKey(id, type)), { discard: true })
  }
})
