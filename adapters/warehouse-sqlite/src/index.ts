export * from "./WarehouseSqlite.js"
export { WarehouseUnwritable } from "./WarehouseWriter.js"
export { WriterBroke } from "./WriterProcess.js"
