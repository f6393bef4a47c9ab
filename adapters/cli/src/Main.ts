import { parseCommandLine } from "./CommandLine.js"
import type { CommandContext, CommandResult } from "./Execute.js"
import { terminalLines } from "./Text.js"

/**
 * Executes a command line. Never rejects: errors are reported on standard error, usually in one line. The engine is loaded
 * for commands only, not for help texts and errors in the command line.
 */
export const runCommand = async (args: ReadonlyArray<string>, context: CommandContext): Promise<CommandResult> => {
  const parsedCommandLine = parseCommandLine(args)
  if ("help" in parsedCommandLine) return { code: 0, stdout: terminalLines(parsedCommandLine.help), stderr: "" }
  if ("usageError" in parsedCommandLine) {
    return { code: 2, stdout: "", stderr: terminalLines(parsedCommandLine.usageError) }
  }
  const { execute } = await import("./Execute.js")
  return execute(parsedCommandLine.name, parsedCommandLine.args, context)
}
