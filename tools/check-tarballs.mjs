// Checks packed packages as their users get them: publint over the manifest and files, attw over the types of each entry.
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { filterProblems } from "@arethetypeswrong/core/problems"
import { readFileSync } from "node:fs"
import { publint } from "publint"
import { formatMessage } from "publint/utils"

/** Ways to resolve an entry that must find its types: those of Node.js for ES modules, and of bundlers. */
const modern = ["node16-esm", "bundler"]

/** Entries of the package for everybody that CommonJS loads by `await import()` alone: the engine itself is ES modules. */
const esmOnly = ["./effect", "./testing"]

/** Resolutions to check for an entry: the package for everybody can also be loaded by CommonJS. */
const resolutionsOf = (name, entry) =>
  name === "trunkline" && !esmOnly.includes(entry) ? [...modern, "node16-cjs"] : modern

const typeFaults = async (data) => {
  const analysis = await checkPackage(createPackageFromTarballData(data))
  if (!analysis.types) return ["there are no types"]
  const problems = Object.keys(analysis.entrypoints).filter((entry) => !entry.endsWith(".json")).flatMap((entrypoint) =>
    resolutionsOf(analysis.packageName, entrypoint).flatMap((resolutionKind) =>
      filterProblems(analysis, { entrypoint, resolutionKind }).map(({ kind }) =>
        `${entrypoint} (${resolutionKind}): ${kind}`
      )
    )
  )
  return Array.from(new Set(problems))
}

const manifestFaults = async (data) => {
  const { messages, pkg } = await publint({ pack: { tarball: data }, strict: true })
  return messages.map((message) => formatMessage(message, pkg, { color: false }))
}

/** Faults of packed packages, given by the paths of their tarballs. */
export const tarballFaults = async (tarballs) => {
  const faults = []
  for (const tarball of tarballs) {
    const data = new Uint8Array(readFileSync(tarball))
    const found = [
      ...await manifestFaults(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)),
      ...await typeFaults(data)
    ]
    faults.push(...found.map((fault) => `${tarball}: ${fault}`))
  }
  return faults
}
