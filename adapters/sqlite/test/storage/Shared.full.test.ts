import { assert, describe, it } from "@effect/vitest"
import { SqlSqlite, StorageSqlite } from "@trunkline/sqlite"
import { DatabaseTooNew, migrate, migrations, schemaVersion, Sql } from "@trunkline/storage-kysely"
import BetterSqlite from "better-sqlite3"
import { Cause, Effect, Exit, Fiber, Layer, Option } from "effect"
import { SqliteDialect } from "kysely"
import { existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { childOn, kill, linesOf } from "./Children.js"
import { get, put, temporaryFile } from "./Files.js"

/** Runs statements on a file through a plain connection. */
const execute = (file: string, statements: string) =>
  Effect.sync(() => {
    const outside = new BetterSqlite(file)
    outside.exec(statements)
    outside.close()
  })

const newer = `insert into schema_version (version) values (${migrations.length + 1})`
const older = `delete from schema_version where version = ${migrations.length}`

/** A file as the first version of this software leaves it, with a row in it. */
const fileOfFirstVersion = Effect.tap(temporaryFile, (file) => {
  mkdirSync(dirname(file), { recursive: true })
  return Effect.provide(
    Effect.zipRight(migrate(migrations.slice(0, 1)), put("first", "was here")),
    Sql.layer(new SqliteDialect({ database: new BetterSqlite(file) }))
  )
})

describe("a database file that is shared", () => {
  it.scoped("is not created by a tool that is given the wrong path", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const refused = yield* Effect.flip(Layer.build(StorageSqlite.layerShared({ file })))
      assert.strictEqual(refused.message, `There is no database at ${file}`)
      assert.isFalse(existsSync(dirname(file)))
    }))

  it.scoped("is created on request, and has no owner then", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      yield* Effect.gen(function*() {
        yield* put("tool", "was here")
        assert.strictEqual(yield* Effect.provide(get("tool"), SqlSqlite.layer({ file })), "was here")
      }).pipe(Effect.provide(SqlSqlite.layerShared({ file, create: true })))
    }))

  it.scoped("of an older version is migrated, rows included, when it has no owner", () =>
    Effect.gen(function*() {
      const file = yield* fileOfFirstVersion
      yield* Effect.gen(function*() {
        const { query } = yield* Sql
        assert.strictEqual(yield* query(schemaVersion), migrations.length)
        assert.strictEqual(yield* get("first"), "was here")
      }).pipe(Effect.provide(SqlSqlite.layerShared({ file })))
    }))

  it.scopedLive("is written by its owner and a guest at the same time, and each sees what the other wrote", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const child = yield* childOn(file, "serving")
      const { lines, next } = linesOf(child)
      yield* next((line) => line === "1 -")
      yield* Effect.gen(function*() {
        const { transaction } = yield* Sql
        yield* Effect.iterate(1, {
          while: (round) => round <= 30,
          body: (round) => Effect.as(transaction(Effect.zipRight(get("guest"), put("guest", String(round)))), round + 1)
        })
        yield* next((line) => line.endsWith(" 30"))
        assert.isAtLeast(Number(yield* get("count")), lines.length - 1)
      }).pipe(Effect.provide(SqlSqlite.layerShared({ file })))
      const counts = lines.map((line) => Number(line.split(" ")[0]))
      assert.deepStrictEqual(counts, counts.map((_, index) => index + 1))
      yield* next((line) => Number(line.split(" ")[0]) > counts.length)
      yield* kill(child)
    }))

  it.scopedLive("is refused to a guest whose version differs from the owner's", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const child = yield* childOn(file, "serving")
      yield* linesOf(child).next((line) => line === "1 -")
      yield* execute(file, older)
      const tooOld = yield* Effect.flip(Layer.build(StorageSqlite.layerShared({ file })))
      assert.strictEqual(tooOld._tag, "DatabaseTooOld")
      assert.include(tooOld.message, `keeps its database at version ${migrations.length - 1}, but this software`)
      yield* execute(file, newer)
      const tooNew = yield* Effect.flip(Layer.build(StorageSqlite.layerShared({ file })))
      assert.strictEqual(tooNew._tag, "DatabaseTooNew")
    }))

  it.scoped("is closed to a guest once a newer owner has migrated it", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      yield* Effect.gen(function*() {
        yield* put("guest", "before")
        yield* execute(file, newer)
        const exit = yield* Effect.exit(put("guest", "after"))
        const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
        assert.instanceOf(defect, DatabaseTooNew)
      }).pipe(Effect.provide(SqlSqlite.layerShared({ file, create: true })))
    }))

  it.scopedLive("keeps the event loop of its owner running while another process writes", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      yield* Effect.gen(function*() {
        const tool = yield* Effect.acquireRelease(
          Effect.sync(() => new BetterSqlite(file)),
          (tool) => Effect.sync(() => tool.close())
        )
        tool.exec("begin immediate")
        const writing = yield* Effect.fork(put("owner", "waited"))
        yield* Effect.sleep("200 millis")
        assert.deepStrictEqual(yield* Fiber.poll(writing), Option.none())
        tool.exec("commit")
        yield* Fiber.join(writing)
        assert.strictEqual(yield* get("owner"), "waited")
      }).pipe(Effect.provide(SqlSqlite.layer({ file })))
    }))
})
