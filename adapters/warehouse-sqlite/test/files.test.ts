import { assert, describe, it } from "@effect/vitest"
import { type Scope, scopeKey } from "@trunkline/kernel"
import { Warehouse } from "@trunkline/warehouse"
import { WarehouseUnwritable } from "@trunkline/warehouse-sqlite"
import { changeTo, factScope } from "@trunkline/warehouse/testing"
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
import { fileOf } from "../src/WorkspaceFile.js"
import { namedFact, temporaryFolder, warehouseIn } from "./folders.js"

const ours = factScope("ours")
const theirs = factScope("theirs")

const pathOf = (folder: string, scope: Scope) => fileOf(folder, scope).file

/** Applies so many facts. */
const fill = (scope: Scope, count: number, from = 0) =>
  Effect.flatMap(Warehouse, (warehouse) =>
    warehouse.apply(scope, {
      from,
      to: from + count,
      changes: Array.from({ length: count }, (_, index) => changeTo(namedFact(scope, from + index)))
    }))

const ask = (scope: Scope, text: string) =>
  Effect.flatMap(Warehouse, (warehouse) => warehouse.query(scope, { text, parameters: [], maxRows: 10 }))

/** How many facts there are, and where the warehouse stands. */
const standing = (scope: Scope) =>
  Effect.gen(function*() {
    const warehouse = yield* Warehouse
    const { rows } = yield* ask(scope, "SELECT count(*) FROM EngagementFactsBoardsView")
    return [rows[0]?.[0], yield* warehouse.watermark(scope)]
  })

const removeBeside = (path: string) => ["-wal", "-shm"].forEach((end) => rmSync(`${path}${end}`, { force: true }))

/** A logger that keeps what is logged. */
const keeping = (lines: Array<string>) =>
  Logger.replace(Logger.defaultLogger, Logger.make(({ message }) => void lines.push(String(message))))

/** Says that the lost facts are all there again. */
const refilled = Effect.flatMap(Warehouse, ({ filled }) => filled(ours))

/** The first workspace whose facts are told to be lost. */
const firstLost = Effect.flatMap(Warehouse, ({ lost }) => Stream.runHead(lost)).pipe(Effect.flatten, Effect.orDie)

describe("the files of a warehouse", () => {
  it.scopedLive("keep what was applied from one run to the next", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      yield* Effect.provide(fill(ours, 3), warehouseIn(folder))
      assert.deepStrictEqual(yield* Effect.provide(standing(ours), warehouseIn(folder)), [3, 3])
      assert.deepStrictEqual(readdirSync(folder).filter((name) => !/^[0-9a-f]{64}\.sqlite(-wal|-shm)?$/.test(name)), [])
    }))

  it.scopedLive("of another workspace are neither read nor written, whenever they come into the place of one's own", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      yield* Effect.provide(fill(theirs, 2), warehouseIn(folder))
      const breach = Effect.gen(function*() {
        const failure = yield* Effect.flip(ask(ours, "SELECT user_identifier FROM EngagementFactsBoardsView"))
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
        assert.deepStrictEqual(yield* standing(ours), [1, 1])
        yield* take
        yield* breach
      })
      yield* Effect.provide(later, warehouseIn(folder))
      const database = new Database(pathOf(folder, theirs), { readonly: true })
      assert.strictEqual(database.prepare("SELECT scope FROM trunkline_state").pluck().get(), scopeKey(theirs))
      database.close()
    }))

  it.scopedLive("that are no databases are moved away, told of by their kind alone, and filled anew", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const path = pathOf(folder, ours)
      writeFileSync(path, "secret ".repeat(2_000))
      const lines: Array<string> = []
      const refill = Effect.gen(function*() {
        assert.deepStrictEqual(yield* standing(ours), [0, 0])
        yield* fill(ours, 2)
        assert.deepStrictEqual(yield* standing(ours), [2, 2])
      })
      yield* Effect.provide(refill, Layer.merge(warehouseIn(folder), keeping(lines)))
      assert.deepStrictEqual(lines, ["A damaged warehouse file was moved away and is filled anew: SQLITE_NOTADB"])
      assert.isTrue(existsSync(`${path}.damaged`))
    }))

  it.scopedLive("that are damaged inside are found out by a query, and so are databases of another kind", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const path = pathOf(folder, ours)
      yield* Effect.provide(fill(ours, 500), warehouseIn(folder))
      const bytes = readFileSync(path)
      writeFileSync(path, bytes.fill(7, 8 * 4096, bytes.length))
      const lines: Array<string> = []
      const look = Effect.gen(function*() {
        const sum = ask(ours, "SELECT sum(length(metadata || user_identifier)) FROM EngagementFactsBoardsView")
        assert.strictEqual((yield* Effect.flip(sum))._tag, "WarehouseBusy")
        assert.deepStrictEqual(yield* firstLost, ours)
        yield* refilled
        assert.deepStrictEqual((yield* sum).rows, [[null]])
        assert.deepStrictEqual(yield* standing(ours), [0, 0])
      })
      yield* Effect.provide(look, Layer.merge(warehouseIn(folder), keeping(lines)))
      assert.lengthOf(lines, 1)
      rmSync(path)
      const other = new Database(path)
      other.exec("CREATE TABLE notes (text TEXT)")
      other.close()
      assert.deepStrictEqual(yield* Effect.provide(standing(ours), warehouseIn(folder)), [0, 0])
    }))

  it.scopedLive("of another version are filled anew", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      yield* Effect.provide(fill(ours, 2), warehouseIn(folder))
      const database = new Database(pathOf(folder, ours))
      database.exec("UPDATE trunkline_state SET version = 'old'; DROP VIEW EngagementFactsBoardsView")
      database.close()
      assert.deepStrictEqual(yield* Effect.provide(standing(ours), warehouseIn(folder)), [0, 0])
    }))

  it.scopedLive("that are deleted while they are in use are made anew", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const use = Effect.gen(function*() {
        yield* fill(ours, 2)
        assert.deepStrictEqual(yield* standing(ours), [2, 2])
        rmSync(pathOf(folder, ours))
        removeBeside(pathOf(folder, ours))
        const busy = yield* Effect.flip(ask(ours, "SELECT count(*) FROM EngagementFactsBoardsView"))
        assert.strictEqual(busy._tag, "WarehouseBusy")
        assert.deepStrictEqual(yield* firstLost, ours)
        yield* refilled
        assert.deepStrictEqual(yield* standing(ours), [0, 0])
        assert.strictEqual(yield* fill(ours, 1, 2), 0)
        assert.strictEqual(yield* fill(ours, 1), 1)
      })
      yield* Effect.provide(use, warehouseIn(folder))
    }))

  it.scopedLive("hold nothing any more of what was erased, also where it was damaged before", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const path = pathOf(folder, ours)
      const fact = namedFact(ours, 0, { user_identifier: "person-to-be-forgotten" })
      const holds = () =>
        readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(fact.user_identifier))
      const erase = Effect.gen(function*() {
        const warehouse = yield* Warehouse
        yield* warehouse.apply(ours, { from: 0, to: 1, changes: [changeTo(fact)] })
        for (let from = 1; from < 1_201; from += 400) yield* fill(ours, 400, from)
        writeFileSync(`${path}.damaged`, fact.user_identifier)
        assert.isTrue(holds())
        const { attempt_id } = fact
        yield* warehouse.apply(ours, { from: 1_201, to: 1_202, changes: [{ attempt_id, fact: null }] })
        yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => !holds() })
        assert.deepStrictEqual(yield* standing(ours), [1_200, 1_202])
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

  it.scopedLive("hold nothing any more once they were cleared", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const holds = () => readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes("user-17"))
      const clear = Effect.gen(function*() {
        const warehouse = yield* Warehouse
        yield* fill(ours, 400)
        assert.isTrue(holds())
        yield* warehouse.clear(ours)
        yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => !holds() })
        assert.deepStrictEqual(yield* standing(ours), [0, 0])
      })
      yield* Effect.provide(clear, warehouseIn(folder))
    }))

  it.scopedLive("are left whole, without a log beside them, when the warehouse is closed", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      yield* Effect.provide(fill(ours, 2), warehouseIn(folder))
      assert.isFalse(existsSync(`${pathOf(folder, ours)}-wal`))
      assert.isAbove(statSync(pathOf(folder, ours)).size, 4096)
    }))
})
