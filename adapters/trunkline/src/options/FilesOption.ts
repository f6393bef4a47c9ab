import type { FileStore } from "@trunkline/cohorts"
import { FilesDisk } from "@trunkline/files-disk"
import type { BucketUnusable, InvalidS3Url, S3PackageMissing } from "@trunkline/files-s3"
import type { ImportFiles } from "@trunkline/job-threads"
import { Data, Effect, Layer } from "effect"
import { resolve } from "node:path"

/** The option `files` names no place that files can be kept in. */
export class InvalidFiles extends Data.TaggedError("InvalidFiles")<{ readonly reason: string }> {
  override get message() {
    return `files: ${this.reason}`
  }
}

/** The place that `files` names: a folder, or a bucket of S3. */
export const filesPlace = (files: string): Effect.Effect<ImportFiles, InvalidFiles> => {
  if (/^s3:/i.test(files)) return Effect.succeed({ s3: files })
  if (files === "postgres") {
    return new InvalidFiles({ reason: "postgres needs a PostgreSQL database, with --database or the option database" })
  }
  // A scheme of one letter is a drive of Windows.
  return files === "" || /^[a-z][a-z0-9+.-]+:/i.test(files)
    ? new InvalidFiles({ reason: "must be a folder, s3://bucket/prefix, or postgres for the database" })
    : Effect.succeed({ folder: resolve(files) })
}

/** Refuses a place for the files of an engine that keeps nothing. */
export const noFilesInMemory = ({ files }: { readonly files?: string }): Effect.Effect<void, InvalidFiles> =>
  files === undefined
    ? Effect.void
    : new InvalidFiles({ reason: "have no place with :memory:, which keeps nothing: name a folder for data" })

/** The files in a place. The client of S3 is only loaded where it is used. */
export const filesIn = (
  files: ImportFiles
): Layer.Layer<FileStore, BucketUnusable | InvalidS3Url | S3PackageMissing> =>
  "folder" in files
    ? FilesDisk.layer(files.folder)
    : Layer.unwrapEffect(Effect.map(
      Effect.promise(() => import("@trunkline/files-s3")),
      ({ FilesS3 }) => FilesS3.layer({ url: files.s3 })
    ))
