import { Engine as PureEngine } from "@trunkline/engine"
import { layerPostgres } from "./LayerPostgres.js"
import { layerSqlite } from "./LayerSqlite.js"

/** The engine, with layers over SQLite and PostgreSQL beside `Engine.layer` and `Engine.layerMemory`. */
export class Engine extends PureEngine {
  static readonly layerPostgres = layerPostgres
  static readonly layerSqlite = layerSqlite
}
