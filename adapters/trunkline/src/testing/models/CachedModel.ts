import { LanguageModel, type ModelRequest } from "@trunkline/models"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Completion } from "../../generated/Models.js"
import type { Model, PlainModel } from "../../options/ModelOptions.js"
import { loadModel } from "./LoadModel.js"

/** A value as JSON whose fields are in order, so that equal values have equal texts. */
const sortFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortFields)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).toSorted(([one], [other]) => one < other ? -1 : 1).map((
      [name, item]
    ) => [name, sortFields(item)])
  )
}

/** Name of the file of an answer, which follows from what the model was asked. */
const nameOf = ({ cacheKey: _, origin: __, ...asked }: ModelRequest): string =>
  `${createHash("sha256").update(JSON.stringify(sortFields(asked))).digest("hex").slice(0, 32)}.json`

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

const readAnswer = async (file: string): Promise<Completion | undefined> => {
  try {
    return JSON.parse(await readFile(file, "utf8"))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Writes a file as a whole, whatever ends the process meanwhile. */
const writeWhole = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, text)
  await rename(draft, file)
}

/**
 * A model whose answers are kept in files of a folder, by what it was asked: a test that runs again costs nothing, and has the same
 * answers. Commit the folder, and delete it for new answers. The seed of a call is part of what is asked.
 *
 * @example
 * ```ts
 * const model = cachedModel(openai({ apiKey: process.env["OPENAI_API_KEY"] ?? "unused" }), "test/answers")
 * ```
 */
export const cachedModel = (model: Model, folder: string): PlainModel => ({
  generate: async (request, { signal }) => {
    const file = join(folder, nameOf(request))
    const earlier = await readAnswer(file)
    if (earlier !== undefined) return earlier
    const layer = await loadModel(model)
    const generation = Effect.flatMap(LanguageModel, ({ generate }) => generate(request))
    const answer = await Effect.runPromise(Effect.provide(generation, layer), { signal })
    await writeWhole(file, `${JSON.stringify(answer, null, 2)}\n`)
    return answer
  }
})
