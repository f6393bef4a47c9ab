export { BusPostgres } from "./BusPostgres.js"
export {
  DatabaseClockOff,
  DatabaseInUse,
  DatabasePooled,
  DatabaseReadOnly,
  DatabaseRefused,
  DatabaseTimeShared,
  DatabaseUnreachable,
  describeUrl,
  type OpenError
} from "./PostgresErrors.js"
export type { PostgresOptions } from "./PostgresOptions.js"
export { SqlPostgres } from "./SqlPostgres.js"
export { StoragePostgres } from "./StoragePostgres.js"
