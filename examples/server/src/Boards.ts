import { ChartsEcharts } from "@trunkline/charts-echarts"
import { NotificationOptions, Sealer } from "@trunkline/notifications"
import { WarehouseSqlite } from "@trunkline/warehouse-sqlite"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Bootstrap } from "./Bootstrap.js"
import { mailerOf } from "./Mail.js"
import { secretOf } from "./Secrets.js"

/** The warehouses, in the data folder or in a temporary folder that is removed when the process ends. */
const warehouseIn = (folder: string | null) =>
  folder === null
    ? Layer.unwrapScoped(Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-warehouse-"))),
        (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
      ),
      (folder) => WarehouseSqlite.layer({ folder })
    ))
    : WarehouseSqlite.layer({ folder: join(folder, "warehouse") })

/** Services of boards and scheduled reports; without a data folder they keep nothing after the process ends. */
export const boardParts = (bootstrap: Bootstrap, folder: string | null) =>
  Layer.mergeAll(
    warehouseIn(folder),
    ChartsEcharts.layer(),
    mailerOf(bootstrap.mail),
    Sealer.layer(secretOf(folder, "seal-key")),
    Layer.succeed(NotificationOptions, { chatHosts: bootstrap.chat_hosts ?? "any" })
  )
