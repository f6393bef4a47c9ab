import { warehouseLaws } from "@trunkline/warehouse/testing"
import { Duration, Effect, Layer } from "effect"
import { temporaryFolder, warehouseIn } from "./Folders.js"

warehouseLaws(
  "SQLite files that stop statements after 5 seconds",
  Layer.unwrapScoped(Effect.map(temporaryFolder, (folder) => warehouseIn(folder, { timeout: Duration.seconds(5) }))),
  { stops: true, types: true }
)
