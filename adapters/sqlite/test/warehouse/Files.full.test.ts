import { assert, describe, it } from "@effect/vitest"
import { type Scope, scopeKey } from "@trunkline/kernel"
import { WarehouseUnwritable } from "@trunkline/sqlite"
import { Warehouse } from "@trunkline/warehouse"
import { changeOf, factScope } from "@trunkline/warehouse/testing"
import Database from "better-sqlite3"
import { Cause, Effect, Exit, Layer, Logger, Option, Stream } from "effect"
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { workspaceFile } from "../../src/warehouse/WorkspaceFiles.js"
import { temporaryFolder, unnamedFact, warehouseIn } from "./Folders.js"

const ours = factScope("ours")
const theirs = factScope("theirs")

const pathOf = (folder: string, scope: Scope) => workspaceFile(folder, scope).file

/** Applies a number of facts. */
const fill = (scope: Scope, count: number, from = 0) =>
  Effect.flatMap(Warehouse, (warehouse) =>
    warehouse.apply(scope, {
      from,
      to: from + count,
      changes: Array.from({ length: count }, (_, index) => changeOf(unnamedFact(scope, from + index)))
    }))

const query = (scope: Scope, text: string) =>
  Effect.flatMap(Warehouse, (warehouse) => warehouse.query(scope, { text, parameters: [], maxRows: 10 }))

/** Number of facts, and position of the warehouse. */
const stateOf = (scope: Scope) =>
  Effect.gen(function*() {
    const warehouse = yield* Warehouse
    const { rows } = yield* query(scope, "SELECT count(*) FROM EngagementFactsBoardsView")
    return [rows[0]?.[0], yield* warehouse.watermark(scope)]
  })

const removeBeside = (path: string) => ["-wal", "-shm"].forEach((end) => rmSync(`${path}${end}`, { force: true }))

/** A logger that collects messages. */
const collecting = (lines: Array<string>) =>
  Logger.replace(Logger.defaultLogger, Logger.make(({ message }) => void lines.push(String(message))))

/** Reports that the lost facts are filled again. */
const refilled = Effect.flatMap(Warehouse, ({ markFilled }) => markFilled(ours))

/** First workspace whose facts are reported as lost. */
const firstLost = Effect.flatMap(Warehouse, ({ lostWorkspaces }) => Stream.runHead(lostWorkspaces)).pipe(
  Effect.flatten,
  Effect.orDie
)

describe("the files of a warehouse", () => {
  it.scopedLive("keep applied facts between runs", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      yield* Effect.provide(fill(ours, 3), warehouseIn(folder))
      assert.deepStrictEqual(yield* Effect.provide(stateOf(ours), warehouseIn(folder)), [3, 3])
      assert.deepStrictEqual(readdirSync(folder).filter((name) => !/^[0-9a-f]{64}\.sqlite(-wal|-shm)?$/.test(name)), [])
    }))

  it.scopedLive("of another workspace are neither read nor written, whenever they replace the right one", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      yield* Effect.provide(fill(theirs, 2), warehouseIn(folder))
      const breach = Effect.gen(function*() {
        const failure = yield* Effect.flip(query(ours, "SELECT user_identifier FROM EngagementFactsBoardsView"))
        assert.strictEqual(failure._tag === "QueryRefused" && failure.code, "TENANT_ISOLATION_BREACH")
        assert.notInclude(failure.message, theirs.org_id)
        const written = yield* Effect.exit(fill(ours, 1))
        const defect = Exit.isFailure(written) ? Option.getOrNull(Cause.dieOption(written.cause)) : null
        assert.instanceOf(defect, WarehouseUnwritable)
      })
      const take = Effect.sync(() => {
        removeBeside(pathOf(folder, ours))
        copyFileSync(pathOf(folder, theirs), `${pathOf(folder, ours)}.new`)
        renameSync(`${pathOf(folder, ours)}.new`, pathOf(folder, ours))
      })
      yield* take
      yield* Effect.provide(breach, warehouseIn(folder))
      rmSync(pathOf(folder, ours))
      const later = Effect.gen(function*() {
        yield* fill(ours, 1)
        assert.deepStrictEqual(yield* stateOf(ours), [1, 1])
        yield* take
        yield* breach
      })
      yield* Effect.provide(later, warehouseIn(folder))
      const database = new Database(pathOf(folder, theirs), { readonly: true })
      assert.strictEqual(database.prepare("SELECT scope FROM trunkline_state").pluck().get(), scopeKey(theirs))
      database.close()
    }))

  it.scopedLive("that are not databases are moved away, logged by the kind of damage alone, and recreated", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const path = pathOf(folder, ours)
      writeFileSync(path, "secret ".repeat(2_000))
      const lines: Array<string> = []
      const refill = Effect.gen(function*() {
        assert.deepStrictEqual(yield* stateOf(ours), [0, 0])
        yield* fill(ours, 2)
        assert.deepStrictEqual(yield* stateOf(ours), [2, 2])
      })
      yield* Effect.provide(refill, Layer.merge(warehouseIn(folder), collecting(lines)))
      assert.deepStrictEqual(lines, ["A damaged warehouse file was moved away and is filled anew: SQLITE_NOTADB"])
      assert.isTrue(existsSync(`${path}.damaged`))
    }))

  it.scopedLive("that are damaged inside are detected by a query, and so are databases of another kind", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const path = pathOf(folder, ours)
      yield* Effect.provide(fill(ours, 500), warehouseIn(folder))
      const bytes = readFileSync(path)
      writeFileSync(path, bytes.fill(7, 8 * 4096, bytes.length))
      const lines: Array<string> = []
      const look = Effect.gen(function*() {
        const sum = query(ours, "SELECT sum(length(metadata || user_identifier)) FROM EngagementFactsBoardsView")
        assert.strictEqual((yield* Effect.flip(sum))._tag, "WarehouseBusy")
        assert.deepStrictEqual(yield* firstLost, ours)
        yield* refilled
        assert.deepStrictEqual((yield* sum).rows, [[null]])
        assert.deepStrictEqual(yield* stateOf(ours), [0, 0])
      })
      yield* Effect.provide(look, Layer.merge(warehouseIn(folder), collecting(lines)))
      assert.lengthOf(lines, 1)
      rmSync(path)
      const other = new Database(path)
      other.exec("CREATE TABLE notes (text TEXT)")
      other.close()
      assert.deepStrictEqual(yield* Effect.provide(stateOf(ours), warehouseIn(folder)), [0, 0])
    }))

  it.scopedLive("of another version are recreated", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      yield* Effect.provide(fill(ours, 2), warehouseIn(folder))
      const database = new Database(pathOf(folder, ours))
      database.exec("UPDATE trunkline_state SET version = 'old'; DROP VIEW EngagementFactsBoardsView")
      database.close()
      assert.deepStrictEqual(yield* Effect.provide(stateOf(ours), warehouseIn(folder)), [0, 0])
    }))

  it.scopedLive("that are deleted while they are in use are recreated", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const use = Effect.gen(function*() {
        yield* fill(ours, 2)
        assert.deepStrictEqual(yield* stateOf(ours), [2, 2])
        rmSync(pathOf(folder, ours))
        removeBeside(pathOf(folder, ours))
        const busy = yield* Effect.flip(query(ours, "SELECT count(*) FROM EngagementFactsBoardsView"))
        assert.strictEqual(busy._tag, "WarehouseBusy")
        assert.deepStrictEqual(yield* firstLost, ours)
        yield* refilled
        assert.deepStrictEqual(yield* stateOf(ours), [0, 0])
        assert.strictEqual(yield* fill(ours, 1, 2), 0)
        assert.strictEqual(yield* fill(ours, 1), 1)
      })
      yield* Effect.provide(use, warehouseIn(folder))
    }))

  it.scopedLive("contain no trace of erased facts, not even in an earlier damaged copy", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const path = pathOf(folder, ours)
      const fact = unnamedFact(ours, 0, { user_identifier: "person-to-be-forgotten" })
      const holds = () =>
        readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(fact.user_identifier))
      const erase = Effect.gen(function*() {
        const warehouse = yield* Warehouse
        yield* warehouse.apply(ours, { from: 0, to: 1, changes: [changeOf(fact)] })
        for (let from = 1; from < 1_201; from += 400) yield* fill(ours, 400, from)
        writeFileSync(`${path}.damaged`, fact.user_identifier)
        assert.isTrue(holds())
        const { attempt_id } = fact
        yield* warehouse.apply(ours, { from: 1_201, to: 1_202, changes: [{ attempt_id, fact: null }] })
        yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => !holds() })
        assert.deepStrictEqual(yield* stateOf(ours), [1_200, 1_202])
      })
      yield* Effect.provide(erase, warehouseIn(folder))
      const database = new Database(path, { readonly: true })
      const statistics = database.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'").pluck().all()
      assert.include(statistics, "sqlite_stat1")
      for (const name of statistics) {
        const rows = database.prepare(`SELECT * FROM ${name}`).raw().all()
        assert.notInclude(JSON.stringify(rows), "user-")
      }
      database.close()
    }))

  it.scopedLive("contain no trace of facts after they are cleared", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const holds = () => readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes("user-17"))
      const clear = Effect.gen(function*() {
        const warehouse = yield* Warehouse
        yield* fill(ours, 400)
        assert.isTrue(holds())
        yield* warehouse.clear(ours)
        yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => !holds() })
        assert.deepStrictEqual(yield* stateOf(ours), [0, 0])
      })
      yield* Effect.provide(clear, warehouseIn(folder))
    }))

  it.scopedLive("are complete, without a write-ahead log, when the warehouse is closed", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      yield* Effect.provide(fill(ours, 2), warehouseIn(folder))
      assert.isFalse(existsSync(`${pathOf(folder, ours)}-wal`))
      assert.isAbove(statSync(pathOf(folder, ours)).size, 4096)
    }))
})
