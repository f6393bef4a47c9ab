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
export { Engine } from "./databases/EngineOnSqlite.js"
export { layerPostgres, type PostgresEngineOptions } from "./databases/LayerPostgres.js"
export { layerSqlite } from "./databases/LayerSqlite.js"
export { InvalidFiles } from "./options/FilesOption.js"
export type { EngineServices } from "./promises/Runner.js"
