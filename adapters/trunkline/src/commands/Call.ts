import type { Environment } from "../server/ConfigFields.js"

/** A call of a command. */
export interface CommandCall {
  /** Values of flags; true for one without a value. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
  readonly operands: ReadonlyArray<string>
  readonly environment: Environment
  /** Base of relative paths. */
  readonly folder: string
  /** Prints a line on standard output. */
  readonly print: (line: string) => void
}

/** A command; resolves with the exit code. A `StartError` is printed, and exits with 1. */
export type CommandRun = (call: CommandCall) => Promise<number>
