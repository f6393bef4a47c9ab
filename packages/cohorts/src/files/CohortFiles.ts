import type { CohortId } from "@trunkline/kernel"
import { Effect, Option, Schema, Stream } from "effect"
import type { Cells, CsvError } from "../csv/Csv.js"
import { CsvReader } from "../csv/CsvReader.js"
import { type FileFit, fitFile } from "../rows/FileHead.js"
import { FileStore } from "./FileStore.js"

/** Kinds of files that a cohort has: the upload, the rejected rows, and the transformation. */
export const CohortFileType = Schema.Literal("cohort", "rejected_records", "cohort_transformation")
export type CohortFileType = typeof CohortFileType.Type

/** A file for download. */
export interface CohortFile {
  readonly filename: string
  readonly contentType: string
  /** Size in bytes, if known. */
  readonly size?: number
  readonly bytes: Stream.Stream<Uint8Array>
}

/** Key of a cohort's file in the `FileStore`. */
export const fileKey = (id: CohortId, type: CohortFileType): string => `${id}/${type}`

/** Name and content type of a cohort's file. */
export const fileDescription = (id: CohortId, type: CohortFileType): Pick<CohortFile, "contentType" | "filename"> =>
  type === "cohort_transformation"
    ? { filename: `${id}_${type}.json`, contentType: "application/json" }
    : { filename: `${id}_${type}.csv`, contentType: "text/csv; charset=utf-8" }

/** Access to the files of cohorts in the `FileStore`. */
export const makeCohortFiles = Effect.gen(function*() {
  const files = yield* FileStore
  const csv = yield* CsvReader

  const read = (id: CohortId, type: CohortFileType) => files.read(fileKey(id, type))

  const bytesOf = (id: CohortId, type: CohortFileType) =>
    Stream.unwrap(Effect.map(read(id, type), Option.getOrElse(() => Stream.empty)))

  return {
    read,
    keep: <E>(id: CohortId, type: CohortFileType, bytes: Stream.Stream<Uint8Array, E>) =>
      files.write(fileKey(id, type), bytes),
    /** The records of the uploaded file, header first; `onRead` receives the size of each chunk read. */
    rows: (id: CohortId, onRead?: (bytes: number) => void): Stream.Stream<Cells, CsvError> =>
      csv.rows(
        onRead === undefined
          ? bytesOf(id, "cohort")
          : Stream.map(bytesOf(id, "cohort"), (bytes) => (onRead(bytes.length), bytes))
      ),
    /** Reads the header of the uploaded file, and fits a transformation to it. */
    fit: (id: CohortId, fit: FileFit) => Effect.provideService(fitFile(bytesOf(id, "cohort"), fit), CsvReader, csv),
    /** Size of a file in bytes; 0 if it does not exist. */
    size: (id: CohortId, type: CohortFileType) => Effect.map(files.size(fileKey(id, type)), Option.getOrElse(() => 0)),
    /** Removes every file of a cohort. */
    remove: (id: CohortId) =>
      Effect.forEach(CohortFileType.literals, (type) => files.remove(fileKey(id, type)), { discard: true })
  }
})
