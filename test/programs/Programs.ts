import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { inject } from "vitest"
import { bundlePrograms, type Program, programIn } from "./Bundle.js"

/** Whether this is the first test file that asks for the bundle. */
const isFirst = (folder: string): boolean => {
  try {
    mkdirSync(join(folder, "begun"))
    return true
  } catch {
    return false
  }
}

/** The path of a program, bundled from the present source: by the first test file of a run that asks for one. */
export const bundled = async (program: Program): Promise<string> => {
  const folder = inject("programs")
  const [done, failed] = [join(folder, "done"), join(folder, "failed")]
  if (isFirst(folder)) {
    try {
      await bundlePrograms(folder)
      writeFileSync(done, "")
    } catch (error) {
      writeFileSync(failed, String(error))
      throw error
    }
  }
  while (!existsSync(done)) {
    if (existsSync(failed)) throw new Error("The programs could not be bundled")
    await pause(50)
  }
  return programIn(folder, program)
}
