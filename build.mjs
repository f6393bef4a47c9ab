// Builds every public package: JavaScript with tsup, declarations with tsc; the package for everybody is one bundle. Packs
// all of them, and checks what would be published.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { tarballFaults } from "./tools/check-tarballs.mjs"
import { writeCheckedEntries } from "./tools/checked-entry.mjs"
import { buildConsolePage } from "./tools/console-page.mjs"
import { stage, staging } from "./tools/published.mjs"
import { build } from "./tools/tsup.mjs"

/** Folder of the tarballs, as they would be published. */
const packed = "packed"

const run = (command, args) => {
  const { error, status } = spawnSync(command, args, { stdio: "inherit" })
  if (status !== 0) {
    console.error(`${command} failed${error ? `: ${error.message}` : ""}`)
    process.exit(1)
  }
}

const bin = (name) => join("node_modules", ".bin", name)

const step = async (title, work) => {
  const started = Date.now()
  await work()
  console.log(`${title}: ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

const packages = ["packages", "adapters"].flatMap((group) =>
  readdirSync(group).map((name) => join(group, name)).filter((folder) => existsSync(join(folder, "package.json"))).map(
    (folder) => ({ folder, group, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) })
  )
).filter(({ manifest }) => !manifest.private)

/** Removes the last bundle only: the declarations and the build info beside it belong to tsc. */
const removeBundle = (dist) =>
  existsSync(dist) &&
  readdirSync(dist).filter((name) => /\.js(\.map)?$/.test(name)).forEach((name) => rmSync(join(dist, name)))

const bundle = async ({ folder, group, manifest }) => {
  const outDir = join(folder, "dist")
  removeBundle(outDir)
  await build({
    config: false,
    entry: Object.values(manifest.exports).map((conditions) => join(folder, conditions["@trunkline/source"])),
    outDir,
    format: "esm",
    target: "node20",
    platform: group === "adapters" ? "node" : "neutral",
    tsconfig: join(folder, "tsconfig.json"),
    skipNodeModulesBundle: true,
    esbuildOptions: (options) => {
      options.conditions = []
    },
    sourcemap: true,
    dts: false,
    clean: false,
    silent: true
  })
}

await step("declarations", () => run(bin("tsc"), ["-b", ...packages.map(({ folder }) => folder)]))

await step(`bundles of ${packages.length} packages`, async () => {
  for (const each of packages) {
    await bundle(each)
  }
})

await step("the page of the console", () => {
  const page = "adapters/console/dist/page"
  rmSync(page, { recursive: true, force: true })
  return buildConsolePage(join(import.meta.dirname, page))
})

await step("entries that check the version of Effect", () => writeCheckedEntries(packages))

await step("imports without the source condition", () => {
  const names = packages.map(({ manifest }) => manifest.name)
  run(process.execPath, ["--input-type=module", "-e", names.map((name) => `await import("${name}")`).join("\n")])
})

await step("the package trunkline", () => stage())

// Benchmarks need the bundles only.
if (process.argv.includes("--bundles")) process.exit(0)

rmSync(packed, { recursive: true, force: true })
mkdirSync(packed)

await step(`tarballs of ${packages.length} packages`, () =>
  run("npm", [
    "pack",
    "--silent",
    "--pack-destination",
    packed,
    ...packages.map(({ folder, manifest }) => manifest.name === "trunkline" ? staging : `./${folder}`)
  ]))

await step("publint and attw", async () => {
  const faults = await tarballFaults(readdirSync(packed).map((name) => join(packed, name)))
  if (faults.length > 0) {
    console.error(faults.join("\n"))
    process.exit(1)
  }
})
