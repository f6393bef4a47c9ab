import { EntropyNode } from "@trunkline/entropy-node"
import { Accounts, Credits, Keys } from "@trunkline/rate-limits"
import { type DatabaseMissing, type DatabaseTooOld, StorageSqlite } from "@trunkline/sqlite"
import type { DatabaseTooNew, Stores } from "@trunkline/storage-kysely"
import { type OpenError, StoragePostgres } from "@trunkline/storage-postgres"
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

const folderOf = (path: string, { folder }: CommandContext) =>
  path === ":memory:"
    ? new UsageError({ message: "--data: Must be a folder: a database in memory is not accessible to other processes" })
    : Effect.succeed(resolve(folder, path))

const run = Effect.fnUntraced(function*(name: CommandName, args: CommandArguments, context: CommandContext) {
  const work = yield* commands[name].prepare(args)
  const data = args["data"] ?? context.environment["TRUNKLINE_DATA"] ?? ".trunkline"
  const database = args["database"] ?? context.environment["TRUNKLINE_DATABASE"]
  const storage: Layer.Layer<Stores, StorageError> = database === undefined || database === ""
    ? StorageSqlite.layerShared({
      file: join(yield* folderOf(String(data), context), "trunkline.db"),
      create: args["init"] === true
    })
    : StoragePostgres.layerShared({ url: String(database), connections: 1, applicationName: "trunkline command" })
  const { json, notice, text } = yield* Effect.provide(work, servicesOver(storage))
  return args["json"] === true
    ? { code: 0, stdout: `${JSON.stringify(json, null, 2)}\n`, stderr: "" }
    : { code: 0, stdout: terminalLines(text), stderr: notice === undefined ? "" : terminalLines(notice) }
})

/** Executes a command. Never fails: errors are reported on standard error, usually in one line. */
export const execute = (
  name: CommandName,
  args: CommandArguments,
  context: CommandContext
): Promise<CommandResult> =>
  Effect.runPromise(
    Effect.catchAllCause(run(name, args, context), (cause) => {
      const { code, message } = explain(cause)
      return Effect.succeed({ code, stdout: "", stderr: terminalLines(message) })
    })
  )

/** Keeps standard output free for the result. */
const logsToStderr = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))

/** The ways in which a database cannot be opened. */
type StorageError = DatabaseMissing | DatabaseTooNew | DatabaseTooOld | OpenError

/** Services over stores that a server may be using at the same time. */
const servicesOver = <E>(storage: Layer.Layer<Stores, E>) =>
  Layer.mergeAll(Accounts.layer, Credits.layer(), Keys.layer).pipe(
    Layer.provideMerge(Layer.merge(storage, EntropyNode.layer)),
    Layer.provide(logsToStderr)
  )
