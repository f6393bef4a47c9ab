import { assert, describe, it } from "@effect/vitest"
import { stateTable, Warehouse } from "@trunkline/warehouse"
import { changeTo, factScope } from "@trunkline/warehouse/testing"
import Database from "better-sqlite3"
import { Duration, Effect, Exit, Fiber } from "effect"
import { WriteLanes } from "../src/child/WriteLanes.js"
import type { WriteAnswer } from "../src/Messages.js"
import { fileOf } from "../src/WorkspaceFile.js"
import { namedFact, temporaryFolder, warehouseIn } from "./folders.js"

/** Lanes over files of which some are locked, by a clock that goes when it is told to. */
const lanesOver = (locked: Set<string>) => {
  const answers: Array<readonly [id: number, outcome: number | string]> = []
  const tried: Array<number> = []
  let now = 0
  const lanes = new WriteLanes({
    now: () => now,
    work: ({ file, id }): WriteAnswer["outcome"] => {
      tried.push(id)
      return locked.has(file)
        ? { fault: "Unwritable", code: "SQLITE_BUSY" }
        : { watermark: id, movedAway: null }
    },
    answer: ({ id, outcome }) => {
      answers.push([id, "watermark" in outcome ? outcome.watermark : "code" in outcome ? outcome.code : outcome.fault])
    }
  })
  return {
    answers,
    tried,
    lanes,
    after: (millis: number) => {
      now += millis
      return lanes.retry()
    },
    ask: (id: number, file: string) => lanes.ask({ id, file, scope: file, task: { kind: "watermark" } })
  }
}

describe("tasks for files that another process has locked", () => {
  it("wait for their own file, in their order, and not for another one", () => {
    const locked = new Set(["a", "b"])
    const { after, answers, ask } = lanesOver(locked)
    ask(1, "a")
    ask(2, "b")
    ask(3, "a")
    ask(4, "c")
    assert.deepStrictEqual(answers, [[4, 4]])
    locked.delete("b")
    assert.isTrue(after(10))
    assert.deepStrictEqual(answers.slice(1), [[2, 2]])
    locked.delete("a")
    ask(5, "a")
    assert.deepStrictEqual(answers.slice(2), [])
    assert.isFalse(after(10))
    assert.deepStrictEqual(answers.slice(2), [[1, 1], [3, 3], [5, 5]])
  })

  it("are given up 5 seconds after each was asked, however many wait, and tried once for all", () => {
    const { after, answers, ask, tried } = lanesOver(new Set(["a"]))
    for (const id of [1, 2, 3]) ask(id, "a")
    after(2_000)
    ask(4, "a")
    after(2_999)
    assert.deepStrictEqual(answers, [])
    assert.isTrue(after(1))
    assert.deepStrictEqual(answers, [[1, "SQLITE_BUSY"], [2, "SQLITE_BUSY"], [3, "SQLITE_BUSY"]])
    assert.deepStrictEqual(tried, [1, 1, 1, 1])
    assert.isFalse(after(2_000))
    assert.deepStrictEqual(answers.slice(3), [[4, "SQLITE_BUSY"]])
  })
})

const ours = factScope("ours")

const fill = (from: number) =>
  Effect.flatMap(
    Warehouse,
    (warehouse) => warehouse.apply(ours, { from, to: from + 1, changes: [changeTo(namedFact(ours, from))] })
  )

const count = Effect.flatMap(
  Warehouse,
  (warehouse) =>
    warehouse.query(ours, { text: "SELECT count(*) FROM EngagementFactsBoardsView", parameters: [], maxRows: 10 })
).pipe(
  Effect.map(({ rows }) => rows[0]?.[0])
)

/** Keeps the file of a workspace from being written by anybody else until the scope ends. */
const locked = (folder: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new Database(fileOf(folder, ours).file).exec("begin immediate")),
    (other) => Effect.sync(() => other.close())
  )

describe("a warehouse file that another process has locked", () => {
  it.scopedLive("is read all the same, by a process that has not used it yet as well", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      yield* Effect.provide(fill(0), warehouseIn(folder))
      yield* locked(folder)
      yield* Effect.provide(
        Effect.gen(function*() {
          assert.strictEqual(yield* count, 1)
          const writing = yield* Effect.fork(Effect.exit(fill(1)))
          assert.strictEqual(yield* count, 1)
          assert.isTrue(Exit.isFailure(yield* Fiber.join(writing)))
        }),
        warehouseIn(folder)
      )
    }))

  it.scopedLive("that has still to be made is refused to whoever asks, with when to try again", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      yield* Effect.provide(fill(0), warehouseIn(folder))
      const other = yield* locked(folder)
      other.exec(`update ${stateTable} set version = 'older'; commit; begin immediate`)
      const refused = yield* Effect.flip(Effect.provide(count, warehouseIn(folder)))
      assert.strictEqual(refused._tag, "WarehouseBusy")
      assert.isTrue("retryAfter" in refused && Duration.equals(refused.retryAfter, Duration.seconds(5)))
    }))
})
