export { layerSqlite, type SqliteEngineOptions } from "./sqlite/LayerSqlite.js"
