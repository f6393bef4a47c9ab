import { Schema } from "effect"

/** Place of files: a folder, or the URL of a bucket of S3. */
export const ImportFiles = Schema.Union(Schema.Struct({ folder: Schema.String }), Schema.Struct({ s3: Schema.String }))
export type ImportFiles = typeof ImportFiles.Type

/** Place of the stores and the files: a SQLite file, or a PostgreSQL database that may keep the files as well. */
export const ImportPlace = Schema.Union(
  Schema.Struct({ file: Schema.String, files: ImportFiles }),
  Schema.Struct({ url: Schema.String, files: Schema.Union(ImportFiles, Schema.Literal("database")) })
)
export type ImportPlace = typeof ImportPlace.Type
