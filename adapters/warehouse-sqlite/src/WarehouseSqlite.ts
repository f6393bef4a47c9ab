import type { Scope } from "@trunkline/kernel"
import { type RunFailure, type RunnerOptions, RunnerPool, RunnersBusy, type ToPrepare } from "@trunkline/sqlite-runners"
import { checkStatement, type Statement, Warehouse, WarehouseBusy } from "@trunkline/warehouse"
import { Duration, Effect, Layer, Queue, Stream } from "effect"
import { resolve } from "node:path"
import type { Owned, WriteTask } from "./Messages.js"
import { refused } from "./Refusals.js"
import { resultColumns } from "./ResultTypes.js"
import { whoseFile } from "./Schema.js"
import { storedChanges } from "./StoredRows.js"
import { makeWriter, type WarehouseUnwritable } from "./WarehouseWriter.js"
import { fileOf } from "./WorkspaceFile.js"

/** Where the facts are kept. */
export interface WarehouseFolder {
  /** Made when it is not there. All in it can be filled anew from the log of facts. */
  readonly folder: string
}

/** Where the facts are kept, and what the processes that query them may take. */
export interface WarehouseSqliteOptions extends WarehouseFolder, RunnerOptions {}

/** About how long it takes to fill a file again. */
const fillingTime = Duration.seconds(2)

const warehouseIn = Effect.fnUntraced(function*({ folder }: WarehouseFolder) {
  const pool = yield* RunnerPool
  const writer = yield* makeWriter
  const root = resolve(folder)
  const lost = yield* Queue.unbounded<Scope>()
  /** Files that do not have all their facts again. */
  const filling = new Set<string>()

  /** Makes what is missing or damaged anew; it has to be filled before anybody can be told the truth again. */
  const mending = <A>(
    scope: Scope,
    owned: Owned,
    run: Effect.Effect<A, RunFailure>
  ): Effect.Effect<A, RunFailure | WarehouseUnwritable> =>
    Effect.catchAll(
      run,
      (failure): Effect.Effect<never, RunFailure | WarehouseUnwritable> =>
        failure._tag === "FileUnusable" && failure.kind !== "Mismatch"
          ? Effect.sync(() => void filling.add(owned.file)).pipe(
            Effect.zipRight(writer.ask(owned, { kind: "inspect" })),
            Effect.zipRight(Queue.offer(lost, scope)),
            Effect.zipRight(new RunnersBusy({ retryAfter: fillingTime }))
          )
          : Effect.fail(failure)
    )

  /** Files that were there, and of this version, when this process first looked. */
  const made = new Set<string>()
  const make = (owned: Owned) =>
    Effect.suspend(() =>
      made.has(owned.file)
        ? Effect.void
        : Effect.map(writer.ask(owned, { kind: "open" }), () => void made.add(owned.file))
    )

  const asked = <A>(
    scope: Scope,
    { parameters, text }: Statement,
    ask: (statement: ToPrepare) => Effect.Effect<A, RunFailure>
  ) =>
    Effect.gen(function*() {
      yield* checkStatement(text, parameters.length)
      const owned = fileOf(root, scope)
      if (filling.has(owned.file)) return yield* new WarehouseBusy({ retryAfter: fillingTime })
      const run = ask({
        file: owned.file,
        lane: owned.scope,
        text,
        parameters,
        mode: "untrusted",
        expected: { text: whoseFile, value: owned.scope }
      })
      return yield* Effect.catchAll(Effect.zipRight(make(owned), mending(scope, owned, run)), refused)
    })

  const write = (scope: Scope, task: WriteTask) => Effect.orDie(writer.ask(fileOf(root, scope), task))

  return Warehouse.of({
    dialect: "sqlite",
    query: (scope, { maxRows, ...statement }) =>
      Effect.map(
        asked(scope, statement, (toAsk) => pool.run({ ...toAsk, maxRows })),
        ({ columns, rows, truncated }) => ({ columns: resultColumns(statement.text, columns), rows, truncated })
      ),
    prepare: (scope, statement) =>
      Effect.map(
        asked(scope, statement, (toAsk) => pool.prepare({ ...toAsk, lane: `${toAsk.lane} (preparing)` })),
        (columns) => resultColumns(statement.text, columns)
      ),
    apply: (scope, { changes, from, to }) =>
      Effect.flatMap(storedChanges(changes), (changes) => write(scope, { kind: "apply", from, to, changes })),
    lost: Stream.fromQueue(lost),
    filled: (scope) => Effect.sync(() => void filling.delete(fileOf(root, scope).file)),
    watermark: (scope) => write(scope, { kind: "watermark" }),
    clear: (scope) => Effect.asVoid(write(scope, { kind: "clear" }))
  })
})

/**
 * The warehouse in SQLite: a file for each workspace, which only one process writes and only child processes that can be
 * killed read, so a query sees nothing of other workspaces, whatever it says (design: boards 0, 3.2).
 *
 * Comfortable up to about three million facts in a workspace (design: boards 2.3).
 */
export const WarehouseSqlite = {
  /** With child processes of its own. */
  layer: ({ folder, ...options }: WarehouseSqliteOptions): Layer.Layer<Warehouse> =>
    Layer.provide(WarehouseSqlite.layerWith({ folder }), RunnerPool.layer(options)),
  /** With the child processes of a pool that others use too. */
  layerWith: (options: WarehouseFolder): Layer.Layer<Warehouse, never, RunnerPool> =>
    Layer.scoped(Warehouse, warehouseIn(options))
}
