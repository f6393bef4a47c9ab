// Writes the references of every tsconfig.json from the dependencies of its package, those of tsconfig.json and
// tsconfig.tests.json from the folders, and the tree of README.md from the descriptions of packages, so that a new package is
// added in its own folder.
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

/** Order of packages from the ground up: the number of packages that stand below each, on the longest way down. */
const heights = (manifests) => {
  const heightOf = new Map()
  const height = (name) => {
    if (!manifests.has(name)) return -1
    if (!heightOf.has(name)) {
      heightOf.set(name, 1 + Math.max(-1, ...Object.keys(manifests.get(name).dependencies ?? {}).map(height)))
    }
    return heightOf.get(name)
  }
  manifests.forEach((_, name) => height(name))
  return heightOf
}

/** Returns README.md with its tree as it should be: packages from the ground up, adapters by name, each with its description. */
export const readme = () => {
  const lines = (group, sorted) => {
    const manifests = new Map(
      foldersOf([group]).map((folder) => [posix.basename(folder), readJson(posix.join(folder, "package.json"))])
    )
    const byName = new Map([...manifests].map(([, manifest]) => [manifest.name, manifest]))
    const heightOf = sorted ? heights(byName) : new Map()
    return [...manifests]
      .sort(([, left], [, right]) => (heightOf.get(left.name) ?? 0) - (heightOf.get(right.name) ?? 0))
      .map(([name, { description }]) => `  ${name.padEnd(21)} ${description.replace(/\.$/, "")}`)
  }
  const text = readFileSync("README.md", "utf8")
  const between = (from, to, rows) => (all) => {
    const [start, end] = [all.indexOf(`\n${from}`), all.indexOf(`\n${to}`)]
    return `${all.slice(0, all.indexOf("\n", start + 1))}\n${rows.join("\n")}${all.slice(end)}`
  }
  return between("adapters/ ", "examples/ ", lines("adapters", false))(
    between("packages/ ", "adapters/ ", lines("packages", true))(text)
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [path, text] of [...tsconfigs(), ["README.md", readme()]]) {
    if (readFileSync(path, "utf8") === text) continue
    writeFileSync(path, text)
    console.log(path)
  }
}
