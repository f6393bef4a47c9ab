import type { Scope } from "@trunkline/kernel"
import {
  checkStatement,
  originType,
  QueryRefused,
  queryRefusedOf,
  type ResultColumn,
  Warehouse,
  WarehouseBusy,
  type WarehouseStatement
} from "@trunkline/warehouse"
import { Duration, Effect, Layer, Queue, Stream } from "effect"
import { resolve } from "node:path"
import type { RunColumn } from "../runners/Messages.js"
import { type RunError, RunnersBusy, type StatementRejected } from "../runners/RunErrors.js"
import { type PrepareInput, RunnerPool } from "../runners/RunnerPool.js"
import type { RunnerOptions } from "../runners/RunnerProcess.js"
import type { WorkspaceFile, WriteTask } from "./Messages.js"
import { encodeChanges, ownerStatement, workspaceFile } from "./WorkspaceFiles.js"
import { isLocked, isolationBreach, makeWriter, type WarehouseUnwritable } from "./WriterProcess.js"

/** Folder of the warehouse. */
export interface WarehouseFolder {
  /** Created when it does not exist. Everything in it can be filled again from the log of facts. */
  readonly folder: string
}

/** Folder of the warehouse, and limits of the processes that query it. */
export interface WarehouseSqliteOptions extends WarehouseFolder, RunnerOptions {}

/** Approximate time to fill a file again. */
const refillTime = Duration.seconds(2)

/** Time to wait before another attempt when another process has locked the file. */
const lockRetryAfter = Duration.seconds(5)

const rejections: Readonly<Partial<Record<StatementRejected["kind"], QueryRefused>>> = {
  MultipleStatements: new QueryRefused({
    code: "MULTIPLE_STATEMENTS",
    message: "Only one SELECT can be run. Remove what follows the semicolon."
  }),
  NotReadOnly: new QueryRefused({ code: "NOT_READ_ONLY", message: "Only a SELECT can be run." })
}

/** Refusal that protects other workspaces; it reveals nothing about them. */
const isolationRefusal = new QueryRefused({
  code: "TENANT_ISOLATION_BREACH",
  message: "The facts of this workspace cannot be read safely, so nothing was read."
})

const stopRefusals = {
  Timeout: new QueryRefused({
    code: "TIMEOUT",
    message: "The query took too long. Filter on effective_datetime, or ask for less."
  }),
  ResourceExceeded: new QueryRefused({
    code: "RESOURCE_LIMIT",
    message: "The query needed too much memory or disk. Filter on effective_datetime, or ask for less."
  })
}

/** Error of a query for the analyst; dies of errors that are not due to the query. */
const queryErrorOf = (error: RunError | WarehouseUnwritable): Effect.Effect<never, QueryRefused | WarehouseBusy> => {
  switch (error._tag) {
    case "StatementRejected":
      return rejections[error.kind] ?? queryRefusedOf(error.message)
    case "RunStopped":
      return stopRefusals[error.kind]
    case "RunnersBusy":
      return new WarehouseBusy({ retryAfter: error.retryAfter })
    case "FileUnusable":
      return error.kind === "Mismatch" ? isolationRefusal : Effect.die(error)
    case "WarehouseUnwritable":
      if (isLocked(error)) return new WarehouseBusy({ retryAfter: lockRetryAfter })
      return error.reason === isolationBreach ? isolationRefusal : Effect.die(error)
  }
}

/**
 * Columns of a result, with the type of those that SQLite reports as columns of the facts, under any name. Results of a
 * UNION have no types, since SQLite reports only the columns of its first part.
 */
const resultColumns = (text: string, columns: ReadonlyArray<RunColumn>): ReadonlyArray<ResultColumn> => {
  const isUnion = /\bunion\b/i.test(text)
  return columns.map(({ name, origin }) => {
    const type = origin === null || isUnion ? undefined : originType(origin.table, origin.column)
    return type === undefined ? { name } : { name, type }
  })
}

const makeWarehouse = Effect.fnUntraced(function*({ folder }: WarehouseFolder) {
  const pool = yield* RunnerPool
  const writer = yield* makeWriter
  const root = resolve(folder)
  const losses = yield* Queue.unbounded<Scope>()
  /** Files that do not have all of their facts yet. */
  const filling = new Set<string>()

  /** Recreates a missing or damaged file, which then has to be filled before it can be queried. */
  const repairing = <A>(
    scope: Scope,
    workspace: WorkspaceFile,
    run: Effect.Effect<A, RunError>
  ): Effect.Effect<A, RunError | WarehouseUnwritable> =>
    Effect.catchAll(
      run,
      (error): Effect.Effect<never, RunError | WarehouseUnwritable> =>
        error._tag === "FileUnusable" && error.kind !== "Mismatch"
          ? Effect.sync(() => void filling.add(workspace.file)).pipe(
            Effect.zipRight(writer.write(workspace, { kind: "inspect" })),
            Effect.zipRight(Queue.offer(losses, scope)),
            Effect.zipRight(new RunnersBusy({ retryAfter: refillTime }))
          )
          : Effect.fail(error)
    )

  /** Files that existed in this version when this process first used them. */
  const openedFiles = new Set<string>()
  const open = (workspace: WorkspaceFile) =>
    Effect.suspend(() =>
      openedFiles.has(workspace.file)
        ? Effect.void
        : Effect.map(writer.write(workspace, { kind: "open" }), () => void openedFiles.add(workspace.file))
    )

  const submit = <A>(
    scope: Scope,
    { parameters, text }: WarehouseStatement,
    run: (input: PrepareInput) => Effect.Effect<A, RunError>
  ) =>
    Effect.gen(function*() {
      yield* checkStatement(text, parameters.length)
      const workspace = workspaceFile(root, scope)
      if (filling.has(workspace.file)) return yield* new WarehouseBusy({ retryAfter: refillTime })
      const result = run({
        file: workspace.file,
        lane: workspace.scope,
        text,
        parameters,
        mode: "untrusted",
        expected: { text: ownerStatement, value: workspace.scope }
      })
      return yield* Effect.catchAll(
        Effect.zipRight(open(workspace), repairing(scope, workspace, result)),
        queryErrorOf
      )
    })

  const write = (scope: Scope, task: WriteTask) => Effect.orDie(writer.write(workspaceFile(root, scope), task))

  return Warehouse.of({
    dialect: "sqlite",
    query: (scope, { maxRows, ...statement }) =>
      Effect.map(
        submit(scope, statement, (input) => pool.run({ ...input, maxRows })),
        ({ columns, rows, truncated }) => ({ columns: resultColumns(statement.text, columns), rows, truncated })
      ),
    prepare: (scope, statement) =>
      Effect.map(
        submit(scope, statement, (input) => pool.prepare({ ...input, lane: `${input.lane} (preparing)` })),
        (columns) => resultColumns(statement.text, columns)
      ),
    apply: (scope, { changes, from, to }) =>
      Effect.flatMap(encodeChanges(changes), (changes) => write(scope, { kind: "apply", from, to, changes })),
    lostWorkspaces: Stream.fromQueue(losses),
    markFilled: (scope) => Effect.sync(() => void filling.delete(workspaceFile(root, scope).file)),
    watermark: (scope) => write(scope, { kind: "watermark" }),
    clear: (scope) => Effect.asVoid(write(scope, { kind: "clear" }))
  })
})

/**
 * The warehouse in SQLite, with a file for each workspace. A single process writes the files, and only child processes that
 * can be killed read them, each query only the file of its workspace. So a query cannot see other workspaces, whatever it
 * says.
 *
 * Suitable for up to about three million facts in a workspace.
 *
 * @example
 * const warehouse = WarehouseSqlite.layer({ folder: "warehouse", timeout: "15 seconds" })
 */
export const WarehouseSqlite = {
  /** Layer with its own child processes. */
  layer: ({ folder, ...options }: WarehouseSqliteOptions): Layer.Layer<Warehouse> =>
    Layer.provide(WarehouseSqlite.layerWith({ folder }), RunnerPool.layer(options)),
  /** Layer with the child processes of a pool that has other users too. */
  layerWith: (options: WarehouseFolder): Layer.Layer<Warehouse, never, RunnerPool> =>
    Layer.scoped(Warehouse, makeWarehouse(options))
}
