import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "tsup"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Programs that tests start in processes of their own, by their source. */
const programs = [
  "adapters/limits-redis/test/child.ts",
  "adapters/sqlite-runners/test/idle.ts",
  "adapters/sqlite-runners/test/parent.ts",
  "adapters/storage-sqlite/test/child.ts",
  "examples/rehearse/src/main.ts",
  "examples/script-chat/src/main.ts",
  "examples/script-cohort/src/main.ts",
  "examples/script-voice/src/main.ts",
  "examples/server/src/main.ts",
  "packages/rehearsal/test/SmallRehearsalMain.ts"
] as const

/** A program that is bundled. */
export type Program = (typeof programs)[number]

/** Threads and processes of adapters, by the place in the bundle where their adapter looks for them. */
const workers = {
  "charts-echarts/worker": "adapters/charts-echarts/src/worker.ts",
  "codecs-wasm/worker": "adapters/codecs-wasm/src/worker.ts",
  "cohort-worker/worker": "adapters/cohort-worker/src/worker.ts",
  "rehearsal-worker/worker": "adapters/rehearsal-worker/src/worker.ts",
  "speech-espeak/worker": "adapters/speech-espeak/src/worker.ts",
  "sqlite-runners/runner": "adapters/sqlite-runners/src/runner.ts",
  "warehouse-sqlite/writer": "adapters/warehouse-sqlite/src/writer.ts"
}

/** The place of a program in its bundle, without an ending. */
const placeOfProgram = (program: Program): string => join("programs", program.slice(0, -".ts".length))

/** The path of a program in the folder of its bundle. */
export const programIn = (folder: string, program: Program): string => join(folder, `${placeOfProgram(program)}.js`)

/** Variables of CommonJS modules, for a bundle that is an ES module. */
const banner = [
  "import { createRequire as requireFrom } from 'node:module'",
  "import { dirname as folderOf } from 'node:path'",
  "import { fileURLToPath as pathFrom } from 'node:url'",
  "const require = requireFrom(import.meta.url)",
  "const __filename = pathFrom(import.meta.url)",
  "const __dirname = folderOf(__filename)"
].join(";")

/** The place that a source file of an adapter has in a bundle, beside which it finds its threads; null for other files. */
export const placeIn = (outDir: string, path: string): string | null => {
  const adapter = /\/adapters\/([^/]+)\/src\/[^?]*\.ts$/.exec(path)?.[1]
  return adapter === undefined ? null : pathToFileURL(join(outDir, adapter, "index.js")).href
}

/**
 * Puts the programs and everything they load into a few files, which start several times as fast as the source. Each
 * adapter keeps a place of its own, beside which it finds its threads; examples find their files where they are.
 */
export const bundlePrograms = async (outDir: string): Promise<void> => {
  writeFileSync(join(outDir, "package.json"), JSON.stringify({ type: "module" }))
  const placeOf = (path: string) => placeIn(outDir, path) ?? pathToFileURL(path).href
  await build({
    config: false,
    entry: {
      ...Object.fromEntries(programs.map((program) => [placeOfProgram(program), join(root, program)])),
      ...Object.fromEntries(Object.entries(workers).map(([name, path]) => [name, join(root, path)]))
    },
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
    splitting: true,
    dts: false,
    clean: false,
    silent: true,
    esbuildOptions: (options) => {
      options.conditions = ["@trunkline/source"]
    },
    esbuildPlugins: [{
      name: "places",
      setup: ({ onLoad }) =>
        onLoad({ filter: /\/(adapters|examples)\/[^/]+\/(src|test)\/.*\.ts$/ }, async ({ path }) => ({
          loader: "ts",
          contents: (await readFile(path, "utf8")).replaceAll("import.meta.url", JSON.stringify(placeOf(path)))
        }))
    }]
  })
}

/** True for the first process that asks for the bundle of a folder. */
const isFirst = (folder: string): boolean => {
  try {
    mkdirSync(join(folder, "begun"))
    return true
  } catch {
    return false
  }
}

/** Bundles the programs into a folder unless that was begun before; completes, in every process, once it is done. */
export const bundleOnce = async (folder: string): Promise<void> => {
  const [done, failed] = [join(folder, "done"), join(folder, "failed")]
  if (isFirst(folder)) {
    try {
      await bundlePrograms(folder)
      writeFileSync(done, "")
    } catch (error) {
      writeFileSync(failed, String(error))
      throw error
    }
  }
  while (!existsSync(done)) {
    if (existsSync(failed)) throw new Error("The programs could not be bundled")
    await pause(50)
  }
}
