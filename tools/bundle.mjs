// Bundles programs of this repository from their TypeScript source, with everything they load.
import { build } from "esbuild"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { buildConsolePage } from "./console-page.mjs"

/** Root folder of the repository. */
export const root = fileURLToPath(new URL("../", import.meta.url))

/**
 * Packages that a bundle cannot hold: those with native code, the client of S3, whose modules load each other late, and that of
 * Redis, a CommonJS module that is loaded late, which has no named exports in a bundle.
 */
const external = ["better-sqlite3", "@resvg/*", "@aws-sdk/*", "redis"]

/** CommonJS variables, for the CommonJS modules inside a bundle of ES modules. */
export const banner = [
  "import { createRequire as __createRequire } from 'node:module'",
  "import { dirname as __dirnameOf } from 'node:path'",
  "import { fileURLToPath as __pathOf } from 'node:url'",
  "const require = __createRequire(import.meta.url)",
  "const __filename = __pathOf(import.meta.url)",
  "const __dirname = __dirnameOf(__filename)"
].join(";")

/** True for a module that runs in a thread or child process of its own, such as `src/worker.ts` and `src/runner.ts`. */
const isWorker = (source) => !/\/(index|testing|effect|guarded|next|server)\.ts$/.test(source)

/** Modules that adapters start in threads and child processes: their exports beside the main one, by path in the bundle. */
export const workerEntries = () =>
  readdirSync(join(root, "adapters")).flatMap((adapter) => {
    const { exports } = JSON.parse(readFileSync(join(root, "adapters", adapter, "package.json"), "utf8"))
    return Object.entries(exports)
      .filter(([, { "@trunkline/source": source }]) => isWorker(source))
      .map(([name, { "@trunkline/source": source }]) => [join(adapter, name), join("adapters", adapter, source)])
  })

/** Path of a program in the folder of its bundle, without an extension. */
const pathInBundle = (program) => join("programs", program.slice(0, -".ts".length).replaceAll(/[/\\]/g, "-"))

/** Path of a bundled program. */
export const programIn = (outDir, program) => join(outDir, `${pathInBundle(program)}.js`)

/** Adapter that a source file belongs to; undefined for other files. */
export const adapterOf = (path) => /\/adapters\/([^/]+)\/src\/[^?]*\.ts$/.exec(path)?.[1]

/** The page of the boards, which reads its files from where they lie. */
const ofPage = /\/adapters\/trunkline\/src\/server\/Page\.ts$/

/** URL that a source file of an adapter has in a bundle, where it finds its workers; null for other files. */
export const urlInBundle = (outDir, path) => {
  const adapter = adapterOf(path)
  return adapter === undefined || ofPage.test(path) ? null : pathToFileURL(join(outDir, adapter, "index.js")).href
}

/** Replaces `import.meta.url`: adapters look for workers in the bundle, examples for their files where those are. */
const moduleUrls = (outDir) => ({
  name: "module-urls",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/(adapters|examples)\/[^/]+\/(src|test)\/.*\.ts$/ }, async ({ path }) => {
      const url = urlInBundle(outDir, path) ?? pathToFileURL(path).href
      return {
        loader: "ts",
        contents: (await readFile(path, "utf8")).replaceAll("import.meta.url", JSON.stringify(url))
      }
    })
})

/**
 * Bundles programs, given by their paths in the repository, the workers of all adapters and the page of the console into a folder. Resolves with
 * the paths of all source files in it. Source maps lie beside the files; `--enable-source-maps` of Node.js uses them.
 */
export const bundlePrograms = async (outDir, programs) => {
  mkdirSync(outDir, { recursive: true })
  writeFileSync(join(outDir, "package.json"), JSON.stringify({ type: "module" }))
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries([
      ...programs.map((program) => [pathInBundle(program), program]),
      ...workerEntries()
    ]),
    outdir: outDir,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "node20",
    platform: "node",
    tsconfig: "tsconfig.base.json",
    conditions: ["@trunkline/source"],
    external,
    banner: { js: banner },
    minifyWhitespace: true,
    legalComments: "none",
    sourcemap: "linked",
    sourcesContent: false,
    metafile: true,
    logLevel: "silent",
    plugins: [moduleUrls(outDir)]
  })
  return [...Object.keys(metafile.inputs), ...await buildConsolePage(join(outDir, "console/page"))]
}
