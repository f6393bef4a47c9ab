import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "tsup"

const root = fileURLToPath(new URL("../../../../", import.meta.url))

/** Inside the repository, so that what is not bundled is found. */
const cache = join(root, "node_modules/.cache")

/** The server, and what the adapters that keep data run in threads and processes of their own. */
const entries = {
  "server/main": "examples/server/src/main.ts",
  "cohort-worker/worker": "adapters/cohort-worker/src/worker.ts",
  "sqlite-runners/runner": "adapters/sqlite-runners/src/runner.ts",
  "warehouse-sqlite/writer": "adapters/warehouse-sqlite/src/writer.ts"
}

/** What CommonJS modules find beside them, in a bundle that is a module of the language. */
const banner = [
  "import { createRequire as requireFrom } from 'node:module'",
  "import { dirname as folderOf } from 'node:path'",
  "import { fileURLToPath as pathFrom } from 'node:url'",
  "const require = requireFrom(import.meta.url)",
  "const __filename = pathFrom(import.meta.url)",
  "const __dirname = folderOf(__filename)"
].join(";")

/**
 * Puts the server and everything it loads into a few files, which start several times as fast as the source; the path of
 * the first. Each adapter keeps a place of its own, beside which it finds its threads. They are gone with this process.
 */
export const bundleServer = async (): Promise<string> => {
  mkdirSync(cache, { recursive: true })
  const outDir = mkdtempSync(join(cache, "torture-"))
  process.once("exit", () => rmSync(outDir, { recursive: true, force: true }))
  writeFileSync(join(outDir, "package.json"), JSON.stringify({ type: "module" }))
  const placeOf = (path: string) => {
    const adapter = /\/adapters\/([^/]+)\/src\//.exec(path)?.[1] ?? "server"
    return pathToFileURL(join(outDir, adapter, "index.js")).href
  }
  await build({
    config: false,
    entry: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
    outDir,
    format: "esm",
    outExtension: () => ({ js: ".js" }),
    target: "node20",
    platform: "node",
    tsconfig: join(root, "tsconfig.base.json"),
    noExternal: [/^(?!better-sqlite3$|@resvg\/)/],
    external: ["better-sqlite3", /^@resvg\//],
    banner: { js: banner },
    minifyWhitespace: true,
    splitting: false,
    dts: false,
    clean: false,
    silent: true,
    esbuildOptions: (options) => {
      options.conditions = ["@trunkline/source"]
    },
    esbuildPlugins: [{
      name: "places",
      setup: ({ onLoad }) =>
        onLoad({ filter: /\/(adapters|examples)\/[^/]+\/src\/.*\.ts$/ }, async ({ path }) => ({
          loader: "ts",
          contents: (await readFile(path, "utf8")).replaceAll("import.meta.url", JSON.stringify(placeOf(path)))
        }))
    }]
  })
  return join(outDir, "server/main.js")
}
