// Writes the references of every tsconfig.json from the dependencies of its package, and those of tsconfig.json and
// tsconfig.tests.json from the folders, so that a new package is added in its own folder.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { posix } from "node:path"
import { pathToFileURL } from "node:url"

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"))

const foldersOf = (groups) =>
  groups.flatMap((group) => readdirSync(group).sort().map((name) => posix.join(group, name)))
    .filter((folder) => existsSync(posix.join(folder, "tsconfig.json")))

/** Returns each tsconfig.json with its references as they should be, as a map from paths to texts. */
export const tsconfigs = () => {
  const folders = foldersOf(["packages", "adapters", "examples"])
  const folderOf = new Map(folders.map((folder) => [readJson(posix.join(folder, "package.json")).name, folder]))
  const referring = (path, targets) => {
    const references = targets.map((target) => ({ path: posix.relative(posix.dirname(path), target) }))
    return [path, `${JSON.stringify({ ...readJson(path), references }, null, 2)}\n`]
  }
  return new Map([
    ...folders.map((folder) => {
      const { dependencies, peerDependencies } = readJson(posix.join(folder, "package.json"))
      const needed = Object.keys({ ...dependencies, ...peerDependencies }).flatMap((name) => folderOf.get(name) ?? [])
      return referring(posix.join(folder, "tsconfig.json"), needed.sort())
    }),
    referring("tsconfig.tests.json", folders),
    referring("tsconfig.json", [...folders, "tsconfig.tests.json"])
  ])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [path, text] of tsconfigs()) {
    if (readFileSync(path, "utf8") === text) continue
    writeFileSync(path, text)
    console.log(path)
  }
}
