// Writes the entry that Node.js imports of a package whose peer is Effect: with a wrong version of Effect it throws one
// clear error, before the modules are linked that import names which that version does not have.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const pathOf = (folder) => join(folder, "dist/checked.js")

const textOf = ({ name, peerDependencies, version }, names) => {
  const [, major, minor] = /^\^(\d+)\.(\d+)\./.exec(peerDependencies.effect)
  return `import * as effect from "effect"
const installed = effect.Effect?.void?.[effect.Effect?.EffectTypeId]?._V
const [major, minor] = String(installed).split(".").map(Number)
if (major !== ${major} || minor < ${minor}) {
  throw new Error(
    "${name} ${version} needs effect ${peerDependencies.effect}, and " +
      (installed === undefined ? "another major version" : \`version \${installed}\`) +
      " is installed: install effect@${major}"
  )
}
export const { ${names.join(", ")} } = await import("./index.js")
`
}

/** True for packages with such an entry. */
export const isChecked = ({ exports }) => exports["."]["node-addons"] !== undefined

/** Writes the entries of packages, whose bundles must be there. */
export const writeCheckedEntries = async (packages) => {
  const checked = packages.filter(({ manifest }) => isChecked(manifest))
  // The packages import each other by these entries, so that all are there before the names of the exports are read.
  for (const { folder } of checked) writeFileSync(pathOf(folder), `export * from "./index.js"\n`)
  for (const { folder, manifest } of checked) {
    const names = Object.keys(await import(pathToFileURL(join(folder, "dist/index.js")).href))
    writeFileSync(pathOf(folder), textOf(manifest, names.toSorted()))
  }
}
