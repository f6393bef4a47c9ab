import { measureCalls } from "./agents-calls.js"
import { run as knowledge } from "./agents-knowledge.js"
import { measureTools } from "./agents-tools.js"

/** Parts of the bench, each with its own lines in the results. */
const parts: ReadonlyArray<() => Promise<void>> = [measureTools, measureCalls, knowledge]

/** Measures what agents do in a call beside speaking. */
export const run = async (): Promise<void> => {
  for (const part of parts) await part()
}
