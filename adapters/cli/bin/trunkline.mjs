#!/usr/bin/env node
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const condition = "--conditions=@trunkline/source"

/** True in the repository, where the tool runs from its TypeScript sources in a process that can load them. */
const isRepository = existsSync(new URL("../tsconfig.json", import.meta.url))

if (isRepository && !process.execArgv.includes(condition)) {
  const { status } = spawnSync(
    process.execPath,
    [condition, "--import", import.meta.resolve("tsx"), fileURLToPath(import.meta.url), ...process.argv.slice(2)],
    { stdio: "inherit" }
  )
  process.exitCode = status ?? 1
} else {
  const { main } = await import("trunkline")
  await main()
}
