export { FileGone, FilesPostgres, FileWriteAbandoned } from "./FilesPostgres.js"
export {
  DatabaseInUse,
  DatabaseReadOnly,
  DatabaseRefused,
  DatabaseUnreachable,
  type OpenError
} from "./PostgresErrors.js"
export type { PostgresBesideOptions, PostgresOptions } from "./PostgresOptions.js"
export { SqlPostgres } from "./SqlPostgres.js"
export { StoragePostgres } from "./StoragePostgres.js"
