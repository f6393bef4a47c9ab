import { warehouseLaws } from "@trunkline/warehouse/testing"
import { Duration, Effect, Layer } from "effect"
import { temporaryFolder, warehouseIn } from "./folders.js"

warehouseLaws(
  "SQLite files",
  Layer.unwrapScoped(Effect.map(temporaryFolder, (folder) => warehouseIn(folder, { timeout: Duration.seconds(1) }))),
  { stops: true, types: true }
)
