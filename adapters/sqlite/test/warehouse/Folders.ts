import type { Scope } from "@trunkline/kernel"
import { WarehouseSqlite, type WarehouseSqliteOptions } from "@trunkline/sqlite"
import type { Fact } from "@trunkline/warehouse"
import { factOf } from "@trunkline/warehouse/testing"
import { Duration, Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A new folder, removed with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

/** A warehouse in a folder, with timeouts for a machine that runs all tests at once. */
export const warehouseIn = (folder: string, options: Omit<WarehouseSqliteOptions, "folder"> = {}) =>
  WarehouseSqlite.layer({ folder, waitTimeout: Duration.minutes(1), niceness: 0, ...options })

/** A fact of a workspace, without names. */
export const unnamedFact = (scope: Scope, number: number, change: Partial<Fact> = {}) => ({
  ...factOf(scope, number, change),
  app_name: null,
  campaign_name: null,
  cohort_name: null
})
