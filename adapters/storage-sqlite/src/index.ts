export { connectError, SqliteNotBuilt } from "./Connect.js"
export { DataFolderInUse } from "./FileOwner.js"
export { makeFolder } from "./MakeFolder.js"
export {
  type BesideOptions,
  DatabaseMissing,
  DatabaseTooOld,
  type SharedOptions,
  type SqliteOptions,
  SqlSqlite
} from "./SqlSqlite.js"
export { StorageSqlite } from "./StorageSqlite.js"
