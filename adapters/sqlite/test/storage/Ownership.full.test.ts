import { assert, describe, it } from "@effect/vitest"
import { meterReading } from "@trunkline/kernel/testing"
import { SqlSqlite } from "@trunkline/sqlite"
import { Fenced, migrate, migrations, Ownership, readOwnership, schemaVersion, Sql } from "@trunkline/storage-kysely"
import BetterSqlite from "better-sqlite3"
import { Context, type Duration, Effect, Fiber, Layer, Logger, Option, Schedule } from "effect"
import { sql, SqliteDialect } from "kysely"
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { vi } from "vitest"
import { childOn, kill, linesOf } from "./Children.js"
import { get, put, temporaryFile } from "./Files.js"

const hour = 3_600_000

/** Runs an effect with the wall clock of this process changed by this number of milliseconds. */
const withWallClockShift = <A, E, R>(millis: number, effect: Effect.Effect<A, E, R>) => {
  const now = Date.now.bind(Date)
  return Effect.acquireUseRelease(
    Effect.sync(() => vi.spyOn(Date, "now").mockImplementation(() => now() + millis)),
    () => effect,
    (spy) => Effect.sync(() => spy.mockRestore())
  )
}

/** Tries to own a file; returns the number of the fence, or the tag of the error. */
const tryOwning = (file: string, lease: Duration.DurationInput = "30 seconds") =>
  Layer.build(SqlSqlite.layer({ file, lease })).pipe(
    Effect.map((context) => Context.get(context, Ownership).fence?.number),
    Effect.catchAll(({ _tag }) => Effect.succeed(_tag)),
    Effect.scoped
  )

/** Owns a file while the scope is open. */
const owning = (file: string, lease: Duration.DurationInput) =>
  Effect.map(Layer.build(SqlSqlite.layer({ file, lease })), (context) => ({
    ...Context.get(context, Ownership),
    ...Context.get(context, Sql)
  }))

const leaseMillis = 900

describe("the ownership of a file", () => {
  it.scopedLive("passes at once to the process that comes after a killed one", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const child = yield* childOn(file, "serving")
      yield* linesOf(child).next((line) => line === "1 -")
      assert.strictEqual(yield* tryOwning(file), "DataFolderInUse")
      yield* kill(child)
      assert.strictEqual(yield* tryOwning(file), 2)
      assert.strictEqual(yield* tryOwning(file), 3)
    }))

  it.scopedLive(
    "stays with a running process, whatever the wall clock of another one shows",
    () =>
      Effect.gen(function*() {
        const file = yield* temporaryFile
        const child = yield* childOn(file, "serving", leaseMillis)
        const { lines, next } = linesOf(child)
        yield* next((line) => line === "1 -")
        for (const jump of [0, hour, -hour]) {
          assert.strictEqual(yield* withWallClockShift(jump, tryOwning(file)), "DataFolderInUse")
        }
        const lineCount = lines.length
        yield* next((line) => Number(line.split(" ")[0]) > lineCount)
      })
  )

  it.scopedLive("stays with a process whose own wall clock jumps", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const { isSafe, lost, query } = yield* owning(file, leaseMillis)
      const losing = yield* Effect.fork(lost)
      for (const jump of [hour, -hour]) {
        const before = yield* query(readOwnership)
        const heartbeats = Effect.repeat(query(readOwnership), {
          schedule: Schedule.spaced("20 millis"),
          until: (now) => (now?.beat ?? 0) > (before?.beat ?? 0) + 1
        })
        yield* withWallClockShift(jump, Effect.zipRight(heartbeats, Effect.map(isSafe, assert.isTrue)))
        assert.strictEqual(yield* tryOwning(file), "DataFolderInUse")
      }
      assert.deepStrictEqual(yield* Fiber.poll(losing), Option.none())
    }))

  it.scopedLive(
    "is taken from a stopped process, whose writes all fail once it is resumed",
    () =>
      Effect.gen(function*() {
        const file = yield* temporaryFile
        const child = yield* childOn(file, "stopping", leaseMillis)
        const { lines, next } = linesOf(child)
        yield* next((line) => line === "stopping")
        assert.deepStrictEqual(lines, ["transaction kept", "query kept", "beside kept", "stopping"])

        const before = meterReading("trunkline_leases_taken_over_total")
        const { query } = yield* withWallClockShift(-hour, owning(file, leaseMillis))
        assert.strictEqual(meterReading("trunkline_leases_taken_over_total"), before + 1)
        assert.strictEqual((yield* query(readOwnership))?.fence, 2)
        assert.strictEqual(yield* tryOwning(file), "DataFolderInUse")
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

  it.scopedLive("is not taken from an older version, which writes no heartbeats", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      mkdirSync(dirname(file), { recursive: true })
      const older = Sql.layer(new SqliteDialect({ database: new BetterSqlite(file) }))
      yield* Effect.provide(migrate(migrations.slice(0, 1)), older)
      const lock = new BetterSqlite(`${file}.owner`)
      yield* Effect.addFinalizer(() => Effect.sync(() => lock.close()))
      lock.exec("begin exclusive")
      assert.strictEqual(yield* tryOwning(file, "1 millis"), "DataFolderInUse")
      const again = Sql.layer(new SqliteDialect({ database: new BetterSqlite(file) }))
      assert.strictEqual(yield* Effect.provide(Effect.flatMap(Sql, ({ query }) => query(schemaVersion)), again), 1)
    }))

  it.scopedLive("is safe for half a lease after a heartbeat, and again as soon as one can be written", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const { isSafe, query } = yield* owning(file, leaseMillis)
      assert.isTrue(yield* isSafe)
      const readOnly = (on: boolean) => query((db) => sql`pragma query_only = ${sql.raw(String(on))}`.execute(db))
      yield* readOnly(true)
      yield* Effect.repeat(isSafe, { schedule: Schedule.spaced("20 millis"), while: (safe) => safe })
      yield* readOnly(false)
      // A heartbeat that takes longer than half a lease, as on a busy machine, leaves the process unsafe until the next one.
      yield* Effect.repeat(isSafe, { schedule: Schedule.spaced("20 millis"), until: (safe) => safe })
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger))))
})
