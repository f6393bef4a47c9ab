import { warehouseLaws } from "@trunkline/warehouse/testing"
import { Effect, Layer } from "effect"
import { temporaryFolder, warehouseIn } from "./Folders.js"

// Statements that never end are in Laws.full.test.ts: a short limit of time would stop others on a busy machine.
warehouseLaws(
  "SQLite files",
  Layer.unwrapScoped(Effect.map(temporaryFolder, (folder) => warehouseIn(folder))),
  { stops: false, types: true }
)
