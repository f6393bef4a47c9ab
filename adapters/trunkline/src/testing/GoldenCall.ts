import { differenceOf, goldenText } from "@trunkline/agent-testing"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import type { TestedCall } from "../generated/Testing.js"
import { CallError } from "./CallError.js"

/** Options of `expectGolden`. */
export interface GoldenOptions {
  /** Writes the file anew; by default where the variable `TRUNKLINE_UPDATE` is `1`. */
  readonly update?: boolean
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

const readGolden = async (file: string): Promise<string | undefined> => {
  try {
    return (await readFile(file, "utf8")).replaceAll("\r\n", "\n")
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/**
 * Compares a call with a golden one in a file: its turns without their times, its outcome, and what the agent found out. The file is
 * written where there is none, except in CI. Rejects with a `CallError` that shows the difference line by line.
 *
 * @example
 * ```ts
 * await expectGolden(call, new URL("golden/booking.txt", import.meta.url).pathname)
 * ```
 */
export const expectGolden = async (
  call: TestedCall,
  file: string,
  { update = process.env["TRUNKLINE_UPDATE"] === "1" }: GoldenOptions = {}
): Promise<void> => {
  const text = goldenText(call)
  const golden = update ? undefined : await readGolden(file)
  if (golden === undefined) {
    if (!update && process.env["CI"]) {
      throw new CallError([`There is no golden call in ${file}: make it, and commit it.`], call)
    }
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    return
  }
  const difference = differenceOf(golden, text)
  if (difference === null) return
  throw new CallError(
    [`The call is not as in ${file}. TRUNKLINE_UPDATE=1 accepts it.`, difference],
    call
  )
}
