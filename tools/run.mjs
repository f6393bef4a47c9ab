// Runs a program of this repository from a bundle of its present source: node tools/run.mjs PROGRAM [argument...].
// A bundle starts in a third of the time that its modules take. It is kept until one of them changes.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join, relative, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/** Root folder of the repository. */
const root = fileURLToPath(new URL("../", import.meta.url))

/** Files that a bundle depends on beside its source. */
const settings = ["package-lock.json", "tsconfig.base.json", "tools/bundle.mjs"]

/** Age at which bundles that were replaced are deleted, in milliseconds: programs that run may still load parts of them. */
const keptMillis = 86_400_000

/** Time of the last change and size of a file, which is as good as its contents; null when there is none. */
const versionOf = (file) => {
  const stats = statSync(join(root, file), { throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.mtimeMs} ${stats.size}`
}

const readRecord = (file) => {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch {
    return null
  }
}

const removeOld = (folder, current) => {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const isOld = Date.now() - statSync(path).mtimeMs > keptMillis
    if (isOld && path !== current && name !== "record.json") rmSync(path, { recursive: true, force: true })
  }
}

/** Bundles a program and writes, in one step, a record of the bundle and its files; another process may do the same. */
const makeBundle = async (program, folder) => {
  const { bundlePrograms, programIn } = await import("./bundle.mjs")
  const begun = Date.now()
  mkdirSync(folder, { recursive: true })
  const outDir = mkdtempSync(join(folder, "bundle-"))
  const inputs = await bundlePrograms(outDir, [program]).catch((error) => {
    rmSync(outDir, { recursive: true })
    throw error
  })
  const files = inputs.filter((file) => !file.includes("node_modules/"))
  const isChanging = (file) => statSync(join(root, file)).mtimeMs >= begun
  const versions = [...files, ...settings].map((file) => [file, isChanging(file) ? null : versionOf(file)])
  const record = { path: programIn(outDir, program), versions }
  writeFileSync(join(outDir, "record.json"), JSON.stringify(record))
  renameSync(join(outDir, "record.json"), join(folder, "record.json"))
  removeOld(folder, outDir)
  return record.path
}

/** Path of the bundle of a program, given by its path in the repository. */
export const bundled = async (program) => {
  const folder = join(root, "node_modules/.cache/programs", program.replaceAll(/[/\\]/g, "-"))
  const record = readRecord(join(folder, "record.json"))
  const isCurrent = record !== null && record.path.startsWith(folder) && existsSync(record.path) &&
    record.versions.every(([file, version]) => version !== null && version === versionOf(file))
  return isCurrent ? record.path : makeBundle(program, folder)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [node, , program, ...args] = process.argv
  const path = await bundled(relative(root, resolve(program)))
  process.argv = [node, path, ...args]
  await import(pathToFileURL(path))
}
