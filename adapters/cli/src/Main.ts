import { EntropyNode } from "@trunkline/entropy-node"
import { Accounts, Credits, Keys } from "@trunkline/rate-limits"
import { StorageSqlite } from "@trunkline/storage-sqlite"
import { Effect, Layer, Logger } from "effect"
import { join, resolve } from "node:path"
import { UsageError } from "./Command.js"
import { parseCommandLine } from "./CommandLine.js"
import { explain } from "./Explain.js"
import { terminalLines } from "./Text.js"

/** Environment of a command. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Base of relative paths. */
  readonly folder: string
}

/** Result of a command. */
export interface CommandResult {
  /** 0 success, 1 failure, 2 invalid usage. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const folderOf = (given: string, { folder }: CommandContext) =>
  given === ":memory:"
    ? new UsageError({ message: "--data: Must be a folder: a database in memory is not accessible to other processes" })
    : Effect.succeed(resolve(folder, given))

const execute = Effect.fnUntraced(function*(args: ReadonlyArray<string>, surroundings: CommandContext) {
  const parsed = yield* parseCommandLine(args)
  if ("help" in parsed) return { code: 0, stdout: terminalLines(parsed.help), stderr: "" }
  const { command, given } = parsed
  const work = yield* command.prepare(given)
  const data = given["data"] ?? surroundings.environment["TRUNKLINE_DATA"] ?? ".trunkline"
  const folder = yield* folderOf(String(data), surroundings)
  const { json, notice, text } = yield* Effect.provide(work, dataFolder(folder, { init: given["init"] === true }))
  return given["json"] === true
    ? { code: 0, stdout: `${JSON.stringify(json, null, 2)}\n`, stderr: "" }
    : { code: 0, stdout: terminalLines(text), stderr: notice === undefined ? "" : terminalLines(notice) }
})

/** Executes a command line. Never fails: errors are reported on standard error, usually in one line. */
export const runCommand = (args: ReadonlyArray<string>, surroundings: CommandContext): Promise<CommandResult> =>
  Effect.runPromise(
    Effect.catchAllCause(execute(args, surroundings), (cause) => {
      const { code, message } = explain(cause)
      return Effect.succeed({ code, stdout: "", stderr: terminalLines(message) })
    })
  )

/** Executes the command line of this process. */
export const main = async (): Promise<void> => {
  const folder = process.env["INIT_CWD"] ?? process.cwd()
  const { code, stderr, stdout } = await runCommand(process.argv.slice(2), { environment: process.env, folder })
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = code
}

/** Keeps standard output free for the result. */
const logsToStderr = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))

/** Services of a data folder, which a server may be using at the same time. `init` creates a missing folder. */
const dataFolder = (folder: string, { init }: { readonly init: boolean }) =>
  Layer.mergeAll(Accounts.layer, Credits.layer(), Keys.layer).pipe(
    Layer.provideMerge(Layer.merge(
      StorageSqlite.layerShared({ file: join(folder, "trunkline.db"), create: init }),
      EntropyNode.layer
    )),
    Layer.provide(logsToStderr)
  )
