import { mkdirSync, mkdtempSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Inside the repository, so that what is not bundled is found. */
const cache = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url))

/** An empty folder for bundles; whoever makes it removes it. */
export const bundleFolder = (): string => {
  mkdirSync(cache, { recursive: true })
  return mkdtempSync(join(cache, "programs-"))
}
