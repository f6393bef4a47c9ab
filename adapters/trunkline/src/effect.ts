import type { Runtime } from "effect"
import type { EngineServices } from "./promises/Runner.js"

declare module "./TrunklineTypes.js" {
  interface TrunklineEffect {
    /** Runtime with every service of the engine: `Runtime.runPromise(trunkline.effect.runtime)(effect)`. */
    readonly runtime: Runtime.Runtime<EngineServices>
  }
}

export { type EngineFault, EngineFaults } from "@trunkline/kernel"
export { Engine } from "./EngineOnSqlite.js"
export { InvalidFiles } from "./files/FilesOption.js"
export { layerPostgres, type PostgresEngineOptions } from "./postgres/LayerPostgres.js"
export { OtherSecret } from "./postgres/Secrets.js"
export type { EngineServices } from "./promises/Runner.js"
export { DataFolderUnusable } from "./sqlite/DataFolder.js"
export { layerSqlite, type SqliteEngineOptions } from "./sqlite/LayerSqlite.js"
