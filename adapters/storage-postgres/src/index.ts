export { BusPostgres } from "./BusPostgres.js"
export { FileGone, FilesPostgres, FileWriteAbandoned } from "./FilesPostgres.js"
export {
  DatabaseClockOff,
  DatabasePooled,
  DatabaseReadOnly,
  DatabaseRefused,
  DatabaseTimeShared,
  DatabaseUnreachable,
  describeUrl,
  type OpenError
} from "./PostgresErrors.js"
export type { PostgresBesideOptions, PostgresOptions } from "./PostgresOptions.js"
export { SqlPostgres } from "./SqlPostgres.js"
export { StoragePostgres } from "./StoragePostgres.js"
