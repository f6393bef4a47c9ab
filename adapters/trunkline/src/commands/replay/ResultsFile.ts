import { reasonOfThrown } from "@trunkline/kernel"
import type { ReplayResult } from "@trunkline/replay"
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { StartError } from "../../server/Explain.js"

/** File of results, one JSON value a line, from which replays that were stopped go on. */
export interface ResultsFile {
  /** Results of before. */
  readonly earlierResults: ReadonlyArray<ReplayResult>
  readonly add: (result: ReplayResult) => void
}

const isResult = (value: unknown): value is ReplayResult =>
  typeof value === "object" && value !== null && "attempt_id" in value && "status" in value

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Begins a file, in a folder that may not be there yet. */
const begin = (file: string, head: string): void => {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${head}\n`, { mode: 0o600 })
  } catch (error) {
    throw new StartError(`--results: ${file} cannot be written (${reasonOfThrown(error)}): name another file`)
  }
}

/**
 * Opens a file of results for replays of one kind. A last line that was cut off is written again. Throws `StartError` at a file
 * of other replays, and at any other file.
 */
export const openResults = (file: string, kind: string): ResultsFile => {
  const head = JSON.stringify({ results: "trunkline replay", of: kind })
  const earlierResults: Array<ReplayResult> = []
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) {
    throw new StartError(`--results: ${file} is no file: name another one`)
  }
  const text = existsSync(file) ? readFileSync(file, "utf8") : ""
  if (text === "") begin(file, head)
  else {
    const end = text.lastIndexOf("\n") + 1
    const [first, ...lines] = text.slice(0, end).split("\n")
    if (first !== head) {
      throw new StartError(`--results: ${file} has results of something else: name another file, or remove it`)
    }
    for (const line of lines) {
      if (line === "") continue
      const result = parse(line)
      if (!isResult(result)) throw new StartError(`--results: ${file} is damaged: remove it, and start again`)
      earlierResults.push(result)
    }
    if (end < text.length) truncateSync(file, Buffer.byteLength(text.slice(0, end)))
  }
  return { earlierResults, add: (result) => appendFileSync(file, `${JSON.stringify(result)}\n`) }
}
