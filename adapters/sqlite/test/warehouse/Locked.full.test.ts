import { assert, describe, it } from "@effect/vitest"
import { stateTable, Warehouse } from "@trunkline/warehouse"
import { changeOf, factScope } from "@trunkline/warehouse/testing"
import Database from "better-sqlite3"
import { Duration, Effect, Exit, Fiber } from "effect"
import { WriteQueue } from "../../src/warehouse/child/WriteQueue.js"
import type { WriteOutcome } from "../../src/warehouse/Messages.js"
import { workspaceFile } from "../../src/warehouse/WorkspaceFiles.js"
import { temporaryFolder, unnamedFact, warehouseIn } from "./Folders.js"

/** A queue over files of which some are locked, with a manual clock. */
const queueOver = (locked: Set<string>) => {
  const replies: Array<readonly [id: number, outcome: number | string]> = []
  const tried: Array<number> = []
  let now = 0
  const queue = new WriteQueue({
    now: () => now,
    perform: ({ file, id }): WriteOutcome => {
      tried.push(id)
      return locked.has(file)
        ? { fault: "Unwritable", code: "SQLITE_BUSY" }
        : { watermark: id, movedAway: null }
    },
    reply: ({ id, outcome }) => {
      replies.push([id, "watermark" in outcome ? outcome.watermark : "code" in outcome ? outcome.code : outcome.fault])
    }
  })
  return {
    replies,
    tried,
    queue,
    after: (millis: number) => {
      now += millis
      return queue.retry()
    },
    submit: (id: number, file: string) => queue.submit({ id, file, scope: file, task: { kind: "watermark" } })
  }
}

describe("tasks for files that another process has locked", () => {
  it("wait for their own file, in order, and not for another one", () => {
    const locked = new Set(["a", "b"])
    const { after, replies, submit } = queueOver(locked)
    submit(1, "a")
    submit(2, "b")
    submit(3, "a")
    submit(4, "c")
    assert.deepStrictEqual(replies, [[4, 4]])
    locked.delete("b")
    assert.isTrue(after(10))
    assert.deepStrictEqual(replies.slice(1), [[2, 2]])
    locked.delete("a")
    submit(5, "a")
    assert.deepStrictEqual(replies.slice(2), [])
    assert.isFalse(after(10))
    assert.deepStrictEqual(replies.slice(2), [[1, 1], [3, 3], [5, 5]])
  })

  it("fail 5 seconds after each arrived, with one attempt for all that wait", () => {
    const { after, replies, submit, tried } = queueOver(new Set(["a"]))
    for (const id of [1, 2, 3]) submit(id, "a")
    after(2_000)
    submit(4, "a")
    after(2_999)
    assert.deepStrictEqual(replies, [])
    assert.isTrue(after(1))
    assert.deepStrictEqual(replies, [[1, "SQLITE_BUSY"], [2, "SQLITE_BUSY"], [3, "SQLITE_BUSY"]])
    assert.deepStrictEqual(tried, [1, 1, 1, 1])
    assert.isFalse(after(2_000))
    assert.deepStrictEqual(replies.slice(3), [[4, "SQLITE_BUSY"]])
  })
})

const ours = factScope("ours")

const fill = (from: number) =>
  Effect.flatMap(
    Warehouse,
    (warehouse) => warehouse.apply(ours, { from, to: from + 1, changes: [changeOf(unnamedFact(ours, from))] })
  )

const count = Effect.flatMap(
  Warehouse,
  (warehouse) =>
    warehouse.query(ours, { text: "SELECT count(*) FROM EngagementFactsBoardsView", parameters: [], maxRows: 10 })
).pipe(
  Effect.map(({ rows }) => rows[0]?.[0])
)

/** Locks the file of a workspace until the scope ends. */
const lock = (folder: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new Database(workspaceFile(folder, ours).file).exec("begin immediate")),
    (other) => Effect.sync(() => other.close())
  )

describe("a warehouse file that another process has locked", () => {
  it.scopedLive("can still be read, also by a process that has not used it yet", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      yield* Effect.provide(fill(0), warehouseIn(folder))
      yield* lock(folder)
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

  it.scopedLive("fails queries when it still has to be recreated, with a time to retry", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      yield* Effect.provide(fill(0), warehouseIn(folder))
      const other = yield* lock(folder)
      other.exec(`update ${stateTable} set version = 'older'; commit; begin immediate`)
      const error = yield* Effect.flip(Effect.provide(count, warehouseIn(folder)))
      assert.strictEqual(error._tag, "WarehouseBusy")
      assert.isTrue("retryAfter" in error && Duration.equals(error.retryAfter, Duration.seconds(5)))
    }))
})
