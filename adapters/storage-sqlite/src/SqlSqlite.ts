import { beside } from "./BesideSql.js"
import { owned } from "./OwnedSql.js"
import { shared } from "./SharedSql.js"

/** `Sql` over SQLite, alone or beside the owner of the file: for what a program keeps beside the stores. */
export const SqlSqlite = { layer: owned, layerBeside: beside, layerShared: shared }
