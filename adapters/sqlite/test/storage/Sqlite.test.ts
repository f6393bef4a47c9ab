import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, VirtualClock } from "@trunkline/kernel"
import { meterReading } from "@trunkline/kernel/testing"
import { SqlSqlite, StorageSqlite } from "@trunkline/sqlite"
import { DatabaseTooNew, maintainOwnership, makeFence, migrate, migrations, Sql } from "@trunkline/storage-kysely"
import BetterSqlite from "better-sqlite3"
import { Cause, Deferred, Duration, Effect, Exit, Fiber, Layer, Option, TestClock } from "effect"
import { sql } from "kysely"
import { existsSync } from "node:fs"
import { get, put, temporaryFile } from "./Files.js"

const inMemory = SqlSqlite.layer({ file: ":memory:" })

const pragma = (name: string) =>
  Effect.flatMap(Sql, ({ query }) => query((db) => sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)))
    .pipe(
      Effect.map(({ rows }) => Object.values(rows[0] ?? {})[0])
    )

const schema = Effect.flatMap(
  Sql,
  ({ query }) => query((db) => sql<{ sql: string }>`select sql from sqlite_master order by name`.execute(db))
).pipe(
  Effect.map(({ rows }) => rows)
)

describe("migrations", () => {
  it.effect("change nothing when applied again, rows included", () =>
    Effect.gen(function*() {
      yield* put("kept", "yes")
      const before = yield* schema
      yield* migrate()
      yield* migrate()
      assert.deepStrictEqual(yield* schema, before)
      assert.strictEqual(yield* get("kept"), "yes")
    }).pipe(Effect.provide(inMemory)))

  it.effect("continue from the version of the database", () =>
    Effect.gen(function*() {
      yield* migrate([...migrations, (db) => db.schema.createTable("added").addColumn("a", "text").execute()])
      assert.strictEqual(yield* pragma("table_info(added)"), 0)
    }).pipe(Effect.provide(inMemory)))

  it.effect("roll back a migration that fails", () =>
    Effect.gen(function*() {
      const before = yield* schema
      const failing = migrate([...migrations, async (db) => {
        await db.schema.createTable("half").addColumn("a", "text").execute()
        await sql`insert into nowhere values (1)`.execute(db)
      }])
      assert.isTrue(Exit.isFailure(yield* Effect.exit(failing)))
      assert.deepStrictEqual(yield* schema, before)
    }).pipe(Effect.provide(inMemory)))

  it.scoped("refuse a database of a newer version with a readable message", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      yield* Effect.provide(migrate([...migrations, () => Promise.resolve()]), SqlSqlite.layer({ file }))
      const refused = yield* Effect.flip(Layer.build(StorageSqlite.layer({ file })))
      assert.instanceOf(refused, DatabaseTooNew)
      assert.include(refused.message, `has version ${migrations.length + 1}, but this software knows versions up to`)
    }))
})

describe("the lease of a process", () => {
  it.scoped("is counted once as lost, when another process has taken it over", () =>
    Effect.gen(function*() {
      const before = meterReading("trunkline_leases_lost_total")
      const { lost } = yield* maintainOwnership({
        fence: makeFence(1),
        lease: Duration.seconds(30),
        heartbeat: Effect.succeed(false)
      })
      yield* lost
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(meterReading("trunkline_leases_lost_total"), before + 1)
    }))

  it.scoped("tells when it was renewed", () =>
    Effect.gen(function*() {
      yield* maintainOwnership({ fence: makeFence(1), lease: Duration.seconds(30), heartbeat: Effect.succeed(true) })
      yield* TestClock.adjust("62 seconds")
      assert.strictEqual(meterReading("trunkline_lease_renewed_timestamp_seconds"), 60)
    }))
})

describe("the database", () => {
  it.effect("tells how long its queries have waited", () =>
    Effect.gen(function*() {
      const waits = () => meterReading("trunkline_database_wait_seconds")
      const before = waits()
      yield* Effect.all([put("a", "1"), put("b", "2")], { concurrency: 2 })
      assert.strictEqual(waits() - before, 2)
    }).pipe(Effect.provide(inMemory)))

  it.scoped("keeps commits on the disk, checks references, and leaves no log behind when closed", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const settings = yield* Effect.provide(
        Effect.forEach(["journal_mode", "synchronous", "foreign_keys"], pragma),
        SqlSqlite.layer({ file })
      )
      assert.deepStrictEqual(settings, ["wal", 2, 1])
      assert.isTrue(existsSync(file))
      assert.isFalse(existsSync(`${file}-wal`))
    }))

  it.scoped("keeps its content when reopened", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      yield* Effect.provide(put("key", "value"), SqlSqlite.layer({ file }))
      assert.strictEqual(yield* Effect.provide(get("key"), SqlSqlite.layer({ file })), "value")
    }))

  it.scoped("blocks other writers from the beginning of a transaction to its end", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const write = () => {
        const tool = new BetterSqlite(file, { timeout: 0 })
        try {
          return tool.exec("begin immediate").inTransaction
        } finally {
          tool.close()
        }
      }
      yield* Effect.gen(function*() {
        const { transaction } = yield* Sql
        yield* transaction(Effect.sync(() => assert.throws(write, "database is locked")))
        assert.isTrue(write())
      }).pipe(Effect.provide(SqlSqlite.layer({ file })))
    }))

  it.live("lets the event loop run between many statements, in a transaction too", () =>
    Effect.gen(function*() {
      const { transaction } = yield* Sql
      let turns = 0
      let running = true
      const turn = () => {
        turns++
        if (running) setImmediate(turn)
      }
      setImmediate(turn)
      const rows = yield* transaction(
        Effect.iterate(0, { while: () => turns < 5, body: (row) => Effect.as(put(`${row}`, ""), row + 1) })
      )
      running = false
      assert.isAbove(rows, 5)
    }).pipe(Effect.provide(inMemory)))

  it.effect("folds letters of every script", () =>
    Effect.gen(function*() {
      const { query } = yield* Sql
      const { rows } = yield* query((db) =>
        sql<{ folded: string; empty: null }>`select lower('ÄRGER Ж') as folded, lower(null) as empty`.execute(db)
      )
      assert.deepStrictEqual(rows, [{ folded: "ärger ж", empty: null }])
    }).pipe(Effect.provide(inMemory)))

  it.effect("makes a query outside of a running transaction wait, and see all of it or nothing", () =>
    Effect.gen(function*() {
      const { transaction } = yield* Sql
      for (const outcome of ["kept", "undone"] as const) {
        const written = yield* Deferred.make<void>()
        const finish = yield* Deferred.make<void, string>()
        const writer = yield* Effect.fork(transaction(
          put(outcome, "first").pipe(
            Effect.zipRight(Deferred.succeed(written, undefined)),
            Effect.zipRight(Deferred.await(finish)),
            Effect.zipRight(put(outcome, "second"))
          )
        ))
        yield* Deferred.await(written)
        const reader = yield* Effect.fork(get(outcome))
        yield* Effect.yieldNow()
        assert.deepStrictEqual(yield* Fiber.poll(reader), Option.none())
        yield* outcome === "kept" ? Deferred.succeed(finish, undefined) : Deferred.fail(finish, "undone")
        yield* Fiber.await(writer)
        assert.strictEqual(yield* Fiber.join(reader), outcome === "kept" ? "second" : undefined)
      }
    }).pipe(Effect.provide(inMemory)))

  it.effect("never runs a query that is interrupted while it waits", () =>
    Effect.gen(function*() {
      const { transaction } = yield* Sql
      const startSignal = yield* Deferred.make<void>()
      const finish = yield* Deferred.make<void>()
      const running = yield* Effect.fork(
        transaction(Effect.zipRight(Deferred.succeed(startSignal, undefined), Deferred.await(finish)))
      )
      yield* Deferred.await(startSignal)
      const waiting = yield* Effect.fork(put("interrupted", "late"))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(waiting)
      yield* Deferred.succeed(finish, undefined)
      yield* Fiber.join(running)
      assert.isUndefined(yield* get("interrupted"))
    }).pipe(Effect.provide(inMemory)))

  it.effect("runs a fiber that outlives its transaction outside of it", () =>
    Effect.gen(function*() {
      const { transaction } = yield* Sql
      const over = yield* Deferred.make<void>()
      const outliving = yield* transaction(
        Effect.forkDaemon(Effect.zipRight(Deferred.await(over), put("outlived", "yes")))
      )
      yield* Deferred.succeed(over, undefined)
      yield* Fiber.join(outliving)
      assert.strictEqual(yield* get("outlived"), "yes")
    }).pipe(Effect.provide(inMemory)))

  it.effect("rolls back a query that outlives its transaction with it", () =>
    Effect.gen(function*() {
      const { query, transaction } = yield* Sql
      const startSignal = yield* Deferred.make<void>()
      const slow = query(async (db) => {
        const write = (key: string) => db.insertInto("accounts").values({ account_id: key, body: "" }).execute()
        await write("slow/first")
        Deferred.unsafeDone(startSignal, Effect.void)
        await new Promise((resume) => setTimeout(resume, 20))
        await write("slow/second")
      })
      const failing = Effect.forkDaemon(slow).pipe(
        Effect.zipRight(Deferred.await(startSignal)),
        Effect.zipRight(Effect.fail("over"))
      )
      assert.strictEqual(yield* Effect.flip(transaction(failing)), "over")
      assert.deepStrictEqual([yield* get("slow/first"), yield* get("slow/second")], [undefined, undefined])
    }).pipe(Effect.provide(inMemory)))

  it.effect("turns a failed statement into a defect, and rolls back the transaction around it", () =>
    Effect.gen(function*() {
      const { query, transaction } = yield* Sql
      const broken = query((db) => sql`insert into nowhere values (1)`.execute(db))
      const exit = yield* Effect.exit(transaction(Effect.zipRight(put("broken", "lost"), broken)))
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      assert.isUndefined(yield* get("broken"))
      yield* transaction(put("broken", "repaired"))
      assert.strictEqual(yield* get("broken"), "repaired")
    }).pipe(Effect.provide(inMemory)))

  it.live("stops business time during a transaction", () =>
    VirtualClock.run(
      Effect.gen(function*() {
        const { transaction } = yield* Sql
        yield* Effect.fork(BusinessTime.sleep("1 minute"))
        const before = yield* BusinessTime.now
        const work = Effect.promise(() => new Promise((resume) => setTimeout(resume, 20)))
        yield* transaction(Effect.zipRight(put("held", "yes"), work))
        assert.strictEqual(yield* BusinessTime.now, before)
      }).pipe(Effect.provide(inMemory))
    ))
})
