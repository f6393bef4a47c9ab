export { DataFolderInUse } from "./Owner.js"
export * from "./SqlSqlite.js"
export * from "./StorageSqlite.js"
