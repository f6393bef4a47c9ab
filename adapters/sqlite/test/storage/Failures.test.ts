import { assert, describe, it } from "@effect/vitest"
import { SqlSqlite } from "@trunkline/sqlite"
import { Sql } from "@trunkline/storage-kysely"
import BetterSqlite from "better-sqlite3"
import { Cause, Effect, Exit, Fiber, Layer, Record } from "effect"
import { sql } from "kysely"
import { get, put, temporaryFile } from "./Files.js"

/** Limits the growth of the file to a number of pages. */
const limitGrowth = (more: number) =>
  Effect.gen(function*() {
    const { query } = yield* Sql
    const { rows: [now] } = yield* query((db) => sql<{ page_count: number }>`pragma page_count`.execute(db))
    yield* query((db) => sql`pragma max_page_count = ${sql.raw(String((now?.page_count ?? 0) + more))}`.execute(db))
  })

const isFull = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) && String(Cause.squash(exit.cause)).includes("database or disk is full")

const large = "x".repeat(200_000)

describe("a full disk", () => {
  it.scoped("is a defect for all transactions of the commit, leaves none half done, and passes when there is space", () =>
    Effect.gen(function*() {
      const { query, transaction } = yield* Sql
      const pair = (key: string, body: string) =>
        transaction(Effect.zipRight(put(`${key}/first`, "small"), put(`${key}/second`, body)))
      const persistent = transaction(
        put("persistent", "first").pipe(
          Effect.zipRight(Effect.exit(put("persistent/large", large))),
          Effect.zipRight(put("persistent", "second"))
        )
      )
      yield* limitGrowth(20)
      const writes = { a: pair("a", "small"), b: pair("b", large), persistent, c: pair("c", "small") }
      const exits = yield* Effect.all(Record.map(writes, Effect.exit), { concurrency: "unbounded" })
      // The transaction after the failed one is in the next group.
      assert.deepStrictEqual(Record.map(exits, isFull), { a: true, b: true, persistent: true, c: false })
      const expectedValues = {
        "a/first": undefined,
        "b/first": undefined,
        "c/second": "small",
        "persistent": undefined
      }
      for (const [key, body] of Object.entries(expectedValues)) assert.strictEqual(yield* get(key), body)

      yield* limitGrowth(1_000)
      yield* Effect.all(writes, { concurrency: "unbounded" })
      for (const key of Object.keys(expectedValues)) assert.isDefined(yield* get(key))
      const { rows } = yield* query((db) => sql`pragma integrity_check`.execute(db))
      assert.deepStrictEqual(rows, [{ integrity_check: "ok" }])
    }).pipe(Effect.provide(Layer.unwrapScoped(Effect.map(temporaryFile, (file) => SqlSqlite.layer({ file }))))))
})

describe("a database that another process has locked", () => {
  it.scopedLive("makes all writers wait in their order while the event loop runs, and loses nothing", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      yield* Effect.gen(function*() {
        const { transaction } = yield* Sql
        const tool = yield* Effect.acquireRelease(
          Effect.sync(() => new BetterSqlite(file)),
          (tool) => Effect.sync(() => tool.close())
        )
        tool.exec("begin immediate")
        const numbers = Array.from({ length: 300 }, (_, number) => number)
        const order: Array<number> = []
        const writing = yield* Effect.fork(Effect.forEach(
          numbers,
          (number) =>
            Effect.zipRight(
              transaction(put(`${number}`, "written")),
              Effect.sync(() => order.push(number))
            ),
          { concurrency: "unbounded" }
        ))
        let turns = 0
        yield* Effect.repeatN(Effect.zipRight(Effect.sleep("20 millis"), Effect.sync(() => turns++)), 40)
        assert.deepStrictEqual([turns, order.length], [41, 0])
        tool.exec("commit")
        yield* Fiber.join(writing)
        assert.deepStrictEqual(order, numbers)
        for (const number of numbers) assert.strictEqual(yield* get(`${number}`), "written")
      }).pipe(Effect.provide(SqlSqlite.layer({ file })))
    }))
})
