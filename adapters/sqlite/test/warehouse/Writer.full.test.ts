import { assert, describe, it } from "@effect/vitest"
import { Warehouse } from "@trunkline/warehouse"
import { changeOf, factScope } from "@trunkline/warehouse/testing"
import { Duration, Effect, Exit, Fiber } from "effect"
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder, unnamedFact, warehouseIn } from "./Folders.js"

const scope = factScope("written")

const batch = (from: number, count: number) => ({
  from,
  to: from + count,
  changes: Array.from({ length: count }, (_, index) => changeOf(unnamedFact(scope, from + index)))
})

const ask = (text: string) =>
  Effect.flatMap(Warehouse, (warehouse) => warehouse.query(scope, { text, parameters: [], maxRows: 10 }))

const count = Effect.map(ask("SELECT count(*) FROM EngagementFactsBoardsView"), ({ rows }) => rows[0]?.[0])

const endless = `SELECT count(*) FROM (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n)`

/** Kills the writer process of this process; false when there is none. */
const killWriter = Effect.sync(() => {
  const lines = execFileSync("ps", ["-eo", "pid,ppid,args"], { encoding: "utf8" }).split("\n").map((line) =>
    line.trim()
  )
  const processLine = lines.map((line) => line.split(/\s+/)).find(([, parent, ...args]) =>
    Number(parent) === process.pid && args.some((arg) => arg.includes("writer."))
  )
  return processLine !== undefined && process.kill(Number(processLine[0]), "SIGKILL")
})

describe("the process that writes", () => {
  it.scopedLive("loses no acknowledged write when it is killed, and restarts", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const use = Effect.gen(function*() {
        const warehouse = yield* Warehouse
        assert.strictEqual(yield* warehouse.apply(scope, batch(0, 50)), 50)
        assert.isTrue(yield* killWriter)
        assert.strictEqual(yield* count, 50)
        assert.strictEqual(yield* warehouse.apply(scope, batch(50, 50)), 100)
        assert.strictEqual(yield* count, 100)
      })
      yield* Effect.provide(use, warehouseIn(folder))
    }))

  it.scopedLive("applies each batch once when it is killed in the middle of them", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const use = Effect.gen(function*() {
        const warehouse = yield* Warehouse
        const writing = yield* Effect.fork(Effect.forEach(
          Array.from({ length: 12 }, (_, index) => index * 100),
          (from) => warehouse.apply(scope, batch(from, 100))
        ))
        let kills = 0
        while (kills < 2 && writing.unsafePoll() === null) {
          if (yield* killWriter) kills++
          yield* Effect.sleep("100 millis")
        }
        assert.deepStrictEqual(yield* Fiber.join(writing), Array.from({ length: 12 }, (_, index) => (index + 1) * 100))
        assert.strictEqual(yield* count, 1_200)
      })
      yield* Effect.provide(use, warehouseIn(folder))
    }))

  it.scopedLive("writes while a query runs", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const use = Effect.gen(function*() {
        const warehouse = yield* Warehouse
        const running = yield* Effect.fork(ask(endless))
        for (let from = 0; from < 500; from += 100) yield* warehouse.apply(scope, batch(from, 100))
        assert.strictEqual(yield* warehouse.watermark(scope), 500)
        assert.isNull(running.unsafePoll())
        yield* Fiber.interrupt(running)
        assert.strictEqual(yield* count, 500)
      })
      yield* Effect.provide(use, warehouseIn(folder, { timeout: Duration.minutes(1) }))
    }))

  it.scopedLive("without a writable folder fails its requests", () =>
    Effect.gen(function*() {
      const folder = join(yield* temporaryFolder, "folder")
      writeFileSync(folder, "no folder")
      const use = Effect.gen(function*() {
        const warehouse = yield* Warehouse
        assert.isTrue(Exit.isFailure(yield* Effect.exit(warehouse.apply(scope, batch(0, 1)))))
      })
      yield* Effect.provide(use, warehouseIn(folder))
    }))
})

describe("queries", () => {
  it.scopedLive("are rejected when too many wait, with a time to retry", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const use = Effect.gen(function*() {
        yield* count
        const running = yield* Effect.fork(ask(endless))
        const waiting = yield* Effect.fork(count)
        yield* Effect.repeat(Effect.yieldNow(), { times: 10 })
        const failure = yield* Effect.flip(count)
        assert.strictEqual(failure._tag === "WarehouseBusy" && Duration.toSeconds(failure.retryAfter), 60)
        yield* Fiber.interrupt(running)
        assert.strictEqual(yield* Fiber.join(waiting), 0)
      })
      yield* Effect.provide(
        use,
        warehouseIn(folder, { size: 1, waitingPerLane: 1, timeout: Duration.minutes(1) })
      )
    }))
})
