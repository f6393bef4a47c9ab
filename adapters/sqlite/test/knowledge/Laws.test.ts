import { passageIndexLaws } from "@trunkline/knowledge/testing"
import { PassageIndexSqlite } from "@trunkline/sqlite"
import { Effect, Layer } from "effect"
import { temporaryFolder } from "../warehouse/Folders.js"

passageIndexLaws(
  "SQLite files",
  Layer.unwrapScoped(Effect.map(temporaryFolder, (folder) => PassageIndexSqlite.layer({ folder })))
)
