import type { Runtime } from "effect"
import type { EngineServices } from "./promises/Runner.js"

declare module "./TrunklineTypes.js" {
  interface TrunklineEffect {
    /** Runtime with every service of the engine: `Runtime.runPromise(trunkline.effect.runtime)(effect)`. */
    readonly runtime: Runtime.Runtime<EngineServices>
  }
}

export { type EngineFault, EngineFaults } from "@trunkline/kernel"
export type { SqliteEngineOptions } from "./assembly/Assemble.js"
export { DataFolderUnusable } from "./assembly/DataFolder.js"
export { OtherSecret } from "./assembly/Secrets.js"
export { InvalidFiles } from "./options/FilesOption.js"
export { layerPostgres, type PostgresEngineOptions } from "./postgres/LayerPostgres.js"
export type { EngineServices } from "./promises/Runner.js"
export { Engine } from "./sqlite/EngineOnSqlite.js"
export { layerSqlite } from "./sqlite/LayerSqlite.js"
