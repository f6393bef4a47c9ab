import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Plugin } from "vitest/config"
import { urlInBundle } from "../../tools/bundle.mjs"
import { bundleOnce, markEveryday } from "./Bundle.js"

/** Inside the repository, so that what is not bundled is found. */
const cache = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url))

/** A large package that `test/clients` installs, and that threads of an adapter load. */
const espeak = "@echogarden/espeak-ng-emscripten"
const installed = fileURLToPath(new URL(`../clients/node_modules/${espeak}`, import.meta.url))

/** Names of what stays in the folder when it is bundled anew. */
const keptNames = new Set(["everyday", "node_modules"])

/** A folder for bundles, empty but for the package. */
const bundleFolder = (): string => {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "programs-"))
  const link = join(folder, "node_modules", espeak)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(installed, link, "junction")
  return folder
}

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the bundled programs of one run of the tests. */
    readonly programs: string
  }
}

const bundleModule = JSON.stringify(fileURLToPath(new URL("Bundle.ts", import.meta.url)))

/**
 * Has the threads and child processes of adapters run from a bundle of the present source, which is made when a test first
 * loads such an adapter: from TypeScript each of them takes seconds to start. The module that starts them waits for the
 * bundle itself, since a worker of vitest gives up on a transformation after a minute.
 */
export const bundledPrograms = (name: "everyday" | "full"): Plugin => {
  const folder = bundleFolder()
  if (name === "everyday") markEveryday(folder)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once("exit", remove)
  let isUsed = false
  return {
    name: "bundled-programs",
    enforce: "pre",
    configureVitest: ({ project, vitest }) => {
      project.provide("programs", folder)
      vitest.onTestsRerun(async () => {
        for (const entry of readdirSync(folder)) {
          if (!keptNames.has(entry)) rmSync(join(folder, entry), { recursive: true, force: true })
        }
        if (isUsed) await bundleOnce(folder)
      })
    },
    transform: (code, id) => {
      const url = urlInBundle(folder, id)
      if (url === null || !code.includes("import.meta.url")) return null
      isUsed = true
      const wait = `import { bundleOnce } from ${bundleModule}\nawait bundleOnce(${JSON.stringify(folder)})\n`
      return wait + code.replaceAll("import.meta.url", JSON.stringify(url))
    }
  }
}
