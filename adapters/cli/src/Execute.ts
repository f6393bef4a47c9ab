import { EntropyNode } from "@trunkline/entropy-node"
import { Accounts, Credits, Keys } from "@trunkline/rate-limits"
import { StorageSqlite } from "@trunkline/storage-sqlite"
import { Effect, Layer, Logger } from "effect"
import { join, resolve } from "node:path"
import { type Command, UsageError } from "./Command.js"
import type { CommandArguments } from "./CommandLine.js"
import { accountsCreate, accountsList, accountsUpdate } from "./commands/AccountCommands.js"
import { creditsGrant, creditsShow, creditsUsage } from "./commands/CreditCommands.js"
import { keysCreate, keysList, keysRevoke } from "./commands/KeyCommands.js"
import { explain } from "./Explain.js"
import type { CommandName } from "./Syntax.js"
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

/** All commands. */
const commands: Readonly<Record<CommandName, Command>> = {
  "accounts create": accountsCreate,
  "accounts update": accountsUpdate,
  "accounts list": accountsList,
  "keys create": keysCreate,
  "keys list": keysList,
  "keys revoke": keysRevoke,
  "credits show": creditsShow,
  "credits grant": creditsGrant,
  "credits usage": creditsUsage
}

const folderOf = (given: string, { folder }: CommandContext) =>
  given === ":memory:"
    ? new UsageError({ message: "--data: Must be a folder: a database in memory is not accessible to other processes" })
    : Effect.succeed(resolve(folder, given))

const run = Effect.fnUntraced(function*(name: CommandName, given: CommandArguments, context: CommandContext) {
  const work = yield* commands[name].prepare(given)
  const data = given["data"] ?? context.environment["TRUNKLINE_DATA"] ?? ".trunkline"
  const folder = yield* folderOf(String(data), context)
  const { json, notice, text } = yield* Effect.provide(work, dataFolder(folder, { init: given["init"] === true }))
  return given["json"] === true
    ? { code: 0, stdout: `${JSON.stringify(json, null, 2)}\n`, stderr: "" }
    : { code: 0, stdout: terminalLines(text), stderr: notice === undefined ? "" : terminalLines(notice) }
})

/** Executes a command. Never fails: errors are reported on standard error, usually in one line. */
export const execute = (
  name: CommandName,
  given: CommandArguments,
  context: CommandContext
): Promise<CommandResult> =>
  Effect.runPromise(
    Effect.catchAllCause(run(name, given, context), (cause) => {
      const { code, message } = explain(cause)
      return Effect.succeed({ code, stdout: "", stderr: terminalLines(message) })
    })
  )

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
