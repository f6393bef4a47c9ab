import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Plugin } from "vitest/config"
import { urlInBundle } from "../../tools/bundle.mjs"
import { bundleOnce, everydayMark, markEveryday } from "./Bundle.js"

/** Inside the repository, so that what is not bundled is found. */
const cache = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url))

/** An empty folder for bundles. */
const bundleFolder = (): string => {
  mkdirSync(cache, { recursive: true })
  return mkdtempSync(join(cache, "programs-"))
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
          if (entry !== everydayMark) rmSync(join(folder, entry), { recursive: true, force: true })
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
