import { assert, describe, it } from "@effect/vitest"
import { SqlSqlite, StorageSqlite } from "@trunkline/sqlite"
import { Sql } from "@trunkline/storage-kysely"
import { Effect, Exit, Layer, Scope } from "effect"
import { sql } from "kysely"
import { dirname } from "node:path"
import { childOn, kill, linesOf } from "./Children.js"
import { get, put, temporaryFile } from "./Files.js"

const integrity = Effect.flatMap(
  Sql,
  ({ query }) => query((db) => sql<{ integrity_check: string }>`pragma integrity_check`.execute(db))
).pipe(
  Effect.map(({ rows }) => rows.map((row) => row.integrity_check))
)

describe("a database file", () => {
  it.scopedLive("is refused to a second process, and released by one that is killed in a transaction", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const child = yield* childOn(file, "unfinished")
      yield* linesOf(child).next((line) => line === "inside")
      const refused = yield* Effect.flip(Layer.build(StorageSqlite.layer({ file })))
      assert.strictEqual(refused._tag, "DataFolderInUse")
      assert.strictEqual(refused.message, `another process uses this data folder: ${dirname(file)}`)
      yield* kill(child)
      const look = Effect.gen(function*() {
        assert.deepStrictEqual(yield* integrity, ["ok"])
        assert.strictEqual(yield* get("committed"), "yes")
        assert.isUndefined(yield* get("uncommitted-0"))
        assert.isUndefined(yield* get("uncommitted-2499"))
        yield* put("next", "works")
      })
      yield* Effect.provide(look, SqlSqlite.layer({ file }))
    }))

  it.scopedLive("keeps every reported commit, and no part of a transaction, after a kill", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const child = yield* childOn(file, "counting")
      const { lines, next } = linesOf(child)
      yield* next((line) => Number(line) === 50)
      yield* kill(child)
      const look = Effect.gen(function*() {
        assert.deepStrictEqual(yield* integrity, ["ok"])
        const first = yield* get("first")
        assert.strictEqual(first, yield* get("second"))
        assert.isAtLeast(Number(first), Number(lines.at(-1)))
      })
      yield* Effect.provide(look, SqlSqlite.layer({ file }))
    }))

  it.scopedLive("is refused to a second layer of the same process, and free again once the first is closed", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const first = yield* Scope.make()
      yield* Layer.buildWithScope(StorageSqlite.layer({ file }), first)
      const refused = yield* Effect.flip(Effect.scoped(Layer.build(StorageSqlite.layer({ file }))))
      assert.strictEqual(refused._tag, "DataFolderInUse")
      yield* Scope.close(first, Exit.void)
      yield* Effect.scoped(Layer.build(StorageSqlite.layer({ file })))
    }))
})
