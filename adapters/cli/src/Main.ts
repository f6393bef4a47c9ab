import { parseCommandLine } from "./CommandLine.js"
import type { CommandContext, CommandResult } from "./Execute.js"
import { terminalLines } from "./Text.js"

/**
 * Executes a command line. Never rejects: errors are reported on standard error, usually in one line. The engine is loaded
 * for commands only, not for help texts and errors in the command line.
 */
export const runCommand = async (args: ReadonlyArray<string>, context: CommandContext): Promise<CommandResult> => {
  const parsed = parseCommandLine(args)
  if ("help" in parsed) return { code: 0, stdout: terminalLines(parsed.help), stderr: "" }
  if ("usageError" in parsed) return { code: 2, stdout: "", stderr: terminalLines(parsed.usageError) }
  const { execute } = await import("./Execute.js")
  return execute(parsed.name, parsed.args, context)
}
