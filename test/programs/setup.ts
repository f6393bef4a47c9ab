import { rmSync } from "node:fs"
import type { TestProject } from "vitest/node"
import { bundleFolder } from "./Folder.js"

declare module "vitest" {
  interface ProvidedContext {
    /** Where the programs are bundled for one run of the tests. */
    readonly programs: string
  }
}

/** Gives each run of the tests a folder for bundles, so that no bundle is older than the run. */
export const setup = (project: TestProject) => {
  let folder = ""
  const remove = () => {
    if (folder !== "") rmSync(folder, { recursive: true, force: true })
  }
  const renew = () => {
    remove()
    folder = bundleFolder()
    project.provide("programs", folder)
  }
  renew()
  project.onTestsRerun(renew)
  return remove
}
