import { inject } from "vitest"
import { programIn } from "../../tools/bundle.mjs"
import { bundleOnce, type Program } from "./Bundle.js"

/** The path of a program, bundled from the present source. */
export const bundled = async (program: Program): Promise<string> => {
  const folder = inject("programs")
  await bundleOnce(folder)
  return programIn(folder, program)
}
