export { DataFolderUnusable } from "./sqlite/DataFolder.js"
export { layerSqlite, type SqliteEngineOptions } from "./sqlite/LayerSqlite.js"
