import { Data, Either } from "effect"
import { statSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** A model cannot run here. The message says why, and what to do next. */
export class ModelFileUnavailable extends Data.TaggedError("ModelUnavailable")<{ readonly message: string }> {}

/** Files that a model needs. */
export interface ModelFiles {
  /** Path of the model. */
  readonly model: string
  /** Path of the main module of `onnxruntime-node`. */
  readonly runtime: string
}

/** Folders from which packages are looked for: one of the user's own first, that of this package, the working directory. */
export const foldersFrom = (from: string | undefined): ReadonlyArray<string> => [
  ...(from === undefined ? [] : [from]),
  fileURLToPath(new URL(".", import.meta.url)),
  process.cwd()
]

/** Path of a module as one of some folders sees it; undefined where it is not installed. */
export const findModule = (name: string, folders: ReadonlyArray<string>): string | undefined => {
  for (const folder of folders) {
    try {
      return createRequire(join(folder, "module.js")).resolve(name)
    } catch {
      continue
    }
  }
  return undefined
}

const problemOf = (model: string, minSize: number): string | null => {
  try {
    const stats = statSync(model)
    if (!stats.isFile()) return "is not a file"
    return stats.size < minSize ? `has only ${stats.size} bytes, so it is not the model` : null
  } catch {
    return "cannot be read"
  }
}

/** A model to look for. */
export interface ModelSearch {
  /** Name of the model in messages, such as `Silero`. */
  readonly name: string
  /** Path of the file. */
  readonly path: string
  /** Size of the smallest file that can be the model, in bytes. */
  readonly minSize: number
  /** Step that mends a wrong file, such as `name silero_vad.onnx`. */
  readonly advice: string
  readonly folders: ReadonlyArray<string>
}

/** Checks a model's file and finds the runtime, which is looked for from the folders and beside the model, too. */
export const findModelFiles = (
  { advice, folders, minSize, name, path }: ModelSearch
): Either.Either<ModelFiles, ModelFileUnavailable> => {
  const problem = problemOf(path, minSize)
  if (problem !== null) {
    return Either.left(new ModelFileUnavailable({ message: `The model ${path} ${problem}: ${advice}` }))
  }
  const runtime = findModule("onnxruntime-node", [...folders, dirname(path)])
  return runtime === undefined
    ? Either.left(
      new ModelFileUnavailable({ message: `${name} needs a package that is not installed: npm i onnxruntime-node` })
    )
    : Either.right({ model: path, runtime })
}
