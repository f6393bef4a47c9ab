import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

/** Path of Bun, one of the packages of `tools`. */
export const bun = fileURLToPath(new URL("../../tools/node_modules/bun/bin/bun.exe", import.meta.url))

/** True when Bun runs: `npm run test:full` has installed it, and its npm package has a binary for this machine. */
export const bunRuns = spawnSync(bun, ["--version"]).status === 0

if (!bunRuns) console.warn("Bun does not run here: its tests are skipped (npm run test:full installs it)")
