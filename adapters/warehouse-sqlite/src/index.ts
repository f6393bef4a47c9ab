export { type WarehouseFolder, WarehouseSqlite, type WarehouseSqliteOptions } from "./WarehouseSqlite.js"
export { WarehouseUnwritable, WriterBroke } from "./WriterProcess.js"
