import { assert, describe, it } from "@effect/vitest"
import { Fenced, holdingOf, migrate, migrations, Ownership, schemaVersion, Sql } from "@trunkline/storage-kysely"
import { SqlSqlite } from "@trunkline/storage-sqlite"
import BetterSqlite from "better-sqlite3"
import { Context, type Duration, Effect, Fiber, Layer, Logger, Option, Schedule } from "effect"
import { sql, SqliteDialect } from "kysely"
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { vi } from "vitest"
import { childOn, kill, linesOf } from "./children.js"
import { get, put, temporaryFile } from "./files.js"

const hour = 3_600_000

/** The wall clock of this process, set by so many milliseconds while an effect runs. */
const wallSetBy = <A, E, R>(millis: number, effect: Effect.Effect<A, E, R>) => {
  const now = Date.now.bind(Date)
  return Effect.acquireUseRelease(
    Effect.sync(() => vi.spyOn(Date, "now").mockImplementation(() => now() + millis)),
    () => effect,
    (spy) => Effect.sync(() => spy.mockRestore())
  )
}

/** Asks for a file: the number of its fence, or why not. */
const asking = (file: string, lease: Duration.DurationInput = "30 seconds") =>
  Layer.build(SqlSqlite.layer({ file, lease })).pipe(
    Effect.map((context) => Context.get(context, Ownership).fence?.number),
    Effect.catchAll(({ _tag }) => Effect.succeed(_tag)),
    Effect.scoped
  )

/** Owns a file for as long as the scope is open. */
const owning = (file: string, lease: Duration.DurationInput) =>
  Effect.map(Layer.build(SqlSqlite.layer({ file, lease })), (context) => ({
    ...Context.get(context, Ownership),
    ...Context.get(context, Sql)
  }))

const leaseMillis = 900

describe("the ownership of a file", () => {
  it.scopedLive("goes at once to whoever comes after a process that was killed", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const child = yield* childOn(file, "serving")
      yield* linesOf(child).next((line) => line === "1 -")
      assert.strictEqual(yield* asking(file), "DataFolderInUse")
      yield* kill(child)
      assert.strictEqual(yield* asking(file), 2)
      assert.strictEqual(yield* asking(file), 3)
    }))

  it.scopedLive(
    "stays with a process that answers, whatever the wall clock of another says",
    () =>
      Effect.gen(function*() {
        const file = yield* temporaryFile
        const child = yield* childOn(file, "serving", leaseMillis)
        const { lines, next } = linesOf(child)
        yield* next((line) => line === "1 -")
        for (const jump of [0, hour, -hour]) {
          assert.strictEqual(yield* wallSetBy(jump, asking(file)), "DataFolderInUse")
        }
        const told = lines.length
        yield* next((line) => Number(line.split(" ")[0]) > told)
      })
  )

  it.scopedLive("stays with a process whose own wall clock jumps", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const { isSafe, lost, query } = yield* owning(file, leaseMillis)
      const losing = yield* Effect.fork(lost)
      for (const jump of [hour, -hour]) {
        const before = yield* query(holdingOf)
        const beats = Effect.repeat(query(holdingOf), {
          schedule: Schedule.spaced("20 millis"),
          until: (now) => (now?.beat ?? 0) > (before?.beat ?? 0) + 1
        })
        yield* wallSetBy(jump, Effect.zipRight(beats, Effect.map(isSafe, assert.isTrue)))
        assert.strictEqual(yield* asking(file), "DataFolderInUse")
      }
      assert.deepStrictEqual(yield* Fiber.poll(losing), Option.none())
    }))

  it.scopedLive(
    "is taken from a stopped process, whose writes are all refused once it is woken up",
    () =>
      Effect.gen(function*() {
        const file = yield* temporaryFile
        const child = yield* childOn(file, "stopping", leaseMillis)
        const { lines, next } = linesOf(child)
        yield* next((line) => line === "stopping")
        assert.deepStrictEqual(lines, ["transaction kept", "query kept", "beside kept", "stopping"])

        const { query } = yield* wallSetBy(-hour, owning(file, leaseMillis))
        assert.strictEqual((yield* query(holdingOf))?.fence, 2)
        assert.strictEqual(yield* asking(file), "DataFolderInUse")
        const guest = yield* Layer.build(SqlSqlite.layerShared({ file }))
        yield* Effect.provide(put("zombie", "ours"), guest)
        child.kill("SIGCONT")
        yield* next((line) => line.startsWith("lost"))
        assert.deepStrictEqual(
          lines.slice(4).map((line) => line.split(":")[0]),
          ["safe false", "transaction Fenced", "query Fenced", "beside Fenced", `lost ${new Fenced().message}`]
        )
        assert.strictEqual(yield* Effect.provide(get("zombie"), guest), "ours")
      })
  )

  it.scopedLive("is not taken from an older version, which never says that it is there", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      mkdirSync(dirname(file), { recursive: true })
      const older = Sql.layer(new SqliteDialect({ database: new BetterSqlite(file) }))
      yield* Effect.provide(migrate(migrations.slice(0, 1)), older)
      const lock = new BetterSqlite(`${file}.owner`)
      yield* Effect.addFinalizer(() => Effect.sync(() => lock.close()))
      lock.exec("begin exclusive")
      assert.strictEqual(yield* asking(file, "1 millis"), "DataFolderInUse")
      const again = Sql.layer(new SqliteDialect({ database: new BetterSqlite(file) }))
      assert.strictEqual(yield* Effect.provide(Effect.flatMap(Sql, ({ query }) => query(schemaVersion)), again), 1)
    }))

  it.scopedLive("is safe for half a lease after a beat, and as soon as one can be written again", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const { isSafe, query } = yield* owning(file, leaseMillis)
      assert.isTrue(yield* isSafe)
      const readOnly = (on: boolean) => query((db) => sql`pragma query_only = ${sql.raw(String(on))}`.execute(db))
      yield* readOnly(true)
      yield* Effect.repeat(isSafe, { schedule: Schedule.spaced("20 millis"), while: (safe) => safe })
      yield* readOnly(false)
      assert.isTrue(yield* isSafe)
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger))))
})
