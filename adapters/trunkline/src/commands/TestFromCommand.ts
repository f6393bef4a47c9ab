import { reasonOfThrown } from "@trunkline/kernel"
import { decodeTrace, writeTest } from "@trunkline/replay"
import { Either } from "effect"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { StartError } from "../server/Explain.js"
import type { CommandCall } from "./Call.js"
import { replayConfig, workspaceOf } from "./replay/ReplayAgents.js"
import { traceText } from "./ReplayCommand.js"

/** `trunkline test-from`: writes a test from the trace of a call. */
export const testFrom = async (call: CommandCall): Promise<number> => {
  const config = await replayConfig(call)
  const trace = decodeTrace(await traceText(call, config, workspaceOf(call, config)))
  if (Either.isLeft(trace)) throw new StartError(trace.left.message)
  const from = call.flags["import"]
  const text = writeTest(trace.right, typeof from === "string" ? { from } : {})
  const out = call.flags["out"]
  if (typeof out !== "string") {
    call.print(text.trimEnd())
    return 0
  }
  const file = resolve(call.folder, out)
  if (existsSync(file)) throw new StartError(`--out: ${out} exists already: name another file, or remove it`)
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  } catch (error) {
    throw new StartError(`--out: ${out} cannot be written (${reasonOfThrown(error)}): name another file`)
  }
  call.print(`Wrote ${out}. Read it for names that are left, and change what it expects to what should have happened.`)
  return 0
}
