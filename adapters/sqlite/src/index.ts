export { type PassageIndexOptions, PassageIndexSqlite } from "./knowledge/PassageIndexSqlite.js"
export type {
  Expected,
  RunCell,
  RunColumn,
  RunMode,
  RunnerResult,
  RunParameter,
  RunStatement
} from "./runners/Messages.js"
export { FileUnusable, type RunError, RunnersBusy, RunStopped, StatementRejected } from "./runners/RunErrors.js"
export { type PrepareInput, type RunInput, RunnerPool } from "./runners/RunnerPool.js"
export type { RunnerOptions } from "./runners/RunnerProcess.js"
export { RunnerBroke } from "./runners/Runners.js"
export { slowReadsBeside } from "./runners/SlowReadsBeside.js"
export { connectError, SqliteNotBuilt } from "./storage/Connect.js"
export { DataFolderInUse } from "./storage/FileOwner.js"
export { makeFolder } from "./storage/MakeFolder.js"
export {
  type BesideOptions,
  DatabaseMissing,
  DatabaseTooOld,
  type SharedOptions,
  type SqliteOptions,
  SqlSqlite
} from "./storage/SqlSqlite.js"
export { StorageSqlite } from "./storage/StorageSqlite.js"
export { type WarehouseFolder, WarehouseSqlite, type WarehouseSqliteOptions } from "./warehouse/WarehouseSqlite.js"
export { WarehouseUnwritable, WriterBroke } from "./warehouse/WriterProcess.js"
