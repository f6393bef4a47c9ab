import { inject } from "vitest"
import { bundleOnce, type Program, programIn } from "./Bundle.js"

/** The path of a program, bundled from the present source. */
export const bundled = async (program: Program): Promise<string> => {
  const folder = inject("programs")
  await bundleOnce(folder)
  return programIn(folder, program)
}
