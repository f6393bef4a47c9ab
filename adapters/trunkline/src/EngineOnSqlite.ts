import { Engine as PureEngine } from "@trunkline/engine"
import { layerSqlite } from "./sqlite/LayerSqlite.js"

/** The engine, with a layer over SQLite beside `Engine.layer` and `Engine.layerMemory`. */
export class Engine extends PureEngine {
  static readonly layerSqlite = layerSqlite
}
