import { existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"

const mode = 0o700

/** The outermost folder of a path that does not exist; the path itself when all of them exist. */
const firstMissing = (folder: string): string => {
  const parent = dirname(folder)
  return parent === folder || existsSync(parent) ? folder : firstMissing(parent)
}

/**
 * Creates a folder and its parents, for its owner only; an existing one stays as it is. Throws the error of the operating
 * system, including for `/proc` and the like, where a recursive `mkdirSync` alone never returns.
 */
export const makeFolder = (folder: string): void => {
  const first = firstMissing(folder)
  try {
    mkdirSync(first, { mode })
  } catch (error) {
    if (!existsSync(first)) throw error
  }
  mkdirSync(folder, { recursive: true, mode })
}
