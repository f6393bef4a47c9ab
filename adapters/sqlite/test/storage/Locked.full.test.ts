import { assert, describe, it } from "@effect/vitest"
import { CurrentStoreWaitBudget, StoreBusy, StoreWaitBudget } from "@trunkline/kernel"
import { SqlSqlite } from "@trunkline/sqlite"
import { Sql } from "@trunkline/storage-kysely"
import BetterSqlite from "better-sqlite3"
import { Cause, Context, Effect, ExecutionStrategy, Exit, Fiber, Layer, Option, Scope, TestClock } from "effect"
import { sqliteDialect } from "../../src/storage/SqliteDialect.js"
import { get, put, temporaryFile } from "./Files.js"

const connectionTo = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new BetterSqlite(file, { timeout: 0 })),
    (database) => Effect.sync(() => database.close())
  )

/**
 * A database that waits by the clock of the test, and another connection that can lock it. With a rollback journal the
 * lock can block readers too; with a write-ahead log it cannot.
 */
const lockable = Effect.fnUntraced(function*(journal: "wal" | "delete" = "wal") {
  const file = yield* temporaryFile
  yield* Effect.provide(put("kept", "before"), SqlSqlite.layer({ file }))
  const database = yield* connectionTo(file)
  database.pragma(`journal_mode = ${journal}`)
  const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
  const sql = Context.get(
    yield* Layer.buildWithScope(Sql.layer(sqliteDialect(database, { givesWay: false })), scope),
    Sql
  )
  const other = yield* connectionTo(file)
  return {
    sql,
    close: Scope.close(scope, Exit.void),
    over: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, Sql, sql),
    lock: (mode: "immediate" | "exclusive" = "immediate") => Effect.sync(() => other.exec(`begin ${mode}`)),
    free: Effect.sync(() => other.exec("commit")),
    /** Completes once this number of calls wait. */
    waiting: (calls: number) =>
      Effect.repeat(Effect.zipRight(Effect.yieldNow(), sql.waiting), {
        until: (waiting) => waiting === calls
      })
  }
})

/** Runs an effect while test time passes. */
const whileTimePasses = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(effect, Effect.forever(TestClock.adjust("10 millis")))

const isBusy = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreBusy

describe("a database that another process has locked", () => {
  it.scoped("serves readers while writers wait", () =>
    Effect.gen(function*() {
      const { free, lock, over, waiting } = yield* lockable()
      yield* lock()
      const writing = yield* Effect.fork(over(put("kept", "after")))
      yield* waiting(1)
      assert.strictEqual(yield* over(get("kept")), "before")
      assert.deepStrictEqual(yield* Fiber.poll(writing), Option.none())
      yield* free
      yield* whileTimePasses(Fiber.join(writing))
      assert.strictEqual(yield* over(get("kept")), "after")
    }))

  it.scoped("makes each call wait for up to 5 seconds, however many wait, and then fail with nothing done", () =>
    Effect.gen(function*() {
      const { free, lock, over, sql, waiting } = yield* lockable()
      const writings = [
        put("first", "written"),
        Effect.asVoid(sql.execute("insert into accounts (account_id, body) values (?, ?)", ["second", "written"])),
        sql.transaction(put("third", "written")),
        sql.transaction(Effect.zipRight(get("kept"), put("fourth", "written")))
      ]
      yield* lock()
      const early = yield* Effect.forEach(writings, (writing) => Effect.fork(Effect.exit(over(writing))))
      yield* waiting(4)
      yield* TestClock.adjust("3 seconds")
      const late = yield* Effect.fork(over(put("late", "written")))
      yield* waiting(5)
      yield* TestClock.adjust("1999 millis")
      assert.deepStrictEqual(yield* Fiber.poll(Fiber.all(early)), Option.none())
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual((yield* Fiber.join(Fiber.all(early))).map(isBusy), [true, true, true, true])
      yield* free
      yield* whileTimePasses(Fiber.join(late))
      for (const key of ["first", "second", "third", "fourth"]) assert.isUndefined(yield* over(get(key)))
      assert.strictEqual(yield* over(get("late")), "written")
    }))

  it.scoped("makes the calls of a request wait for 5 seconds together, a budget that is restored while they do not wait", () =>
    Effect.gen(function*() {
      const { lock, over, waiting } = yield* lockable()
      const timeout = new StoreWaitBudget()
      const call = (key: string) =>
        Effect.exit(over(Effect.locally(put(key, "written"), CurrentStoreWaitBudget, timeout)))
      yield* lock()
      const first = yield* Effect.fork(call("first"))
      yield* waiting(1)
      yield* TestClock.adjust("5 seconds")
      assert.isTrue(isBusy(yield* Fiber.join(first)))
      assert.isTrue(isBusy(yield* call("second")))
      yield* TestClock.adjust("2 seconds")
      const third = yield* Effect.fork(call("third"))
      yield* waiting(1)
      yield* TestClock.adjust("1999 millis")
      assert.deepStrictEqual(yield* Fiber.poll(third), Option.none())
      yield* TestClock.adjust("1 millis")
      assert.isTrue(isBusy(yield* Fiber.join(third)))
    }))

  it.scoped("makes readers wait while it cannot be read", () =>
    Effect.gen(function*() {
      const { free, lock, over, waiting } = yield* lockable("delete")
      yield* lock("exclusive")
      const reading = yield* Effect.fork(over(get("kept")))
      const refused = yield* Effect.exit(
        over(Effect.locally(get("kept"), CurrentStoreWaitBudget, new StoreWaitBudget("0 millis")))
      )
      assert.isTrue(isBusy(refused))
      yield* waiting(1)
      yield* free
      yield* lock()
      assert.strictEqual(yield* whileTimePasses(Fiber.join(reading)), "before")
    }))

  it.scoped("is written once by each waiting call, and not by an interrupted one", () =>
    Effect.gen(function*() {
      const { free, lock, over, sql, waiting } = yield* lockable()
      const ran: Array<string> = []
      const writing = (key: string) =>
        over(sql.transaction(Effect.zipRight(Effect.sync(() => ran.push(key)), put(key, "written"))))
      yield* lock()
      const [first, second] = [yield* Effect.fork(writing("first")), yield* Effect.fork(writing("second"))]
      yield* waiting(2)
      yield* Fiber.interrupt(first)
      yield* free
      yield* whileTimePasses(Fiber.join(second))
      assert.deepStrictEqual(ran, ["second"])
      assert.isUndefined(yield* over(get("first")))
      assert.strictEqual(yield* sql.waiting, 0)
    }))

  it.scoped("ends all waits when it is closed, uninterruptible ones too", () =>
    Effect.gen(function*() {
      const { close, lock, over, waiting } = yield* lockable()
      yield* lock()
      const writing = yield* Effect.fork(Effect.exit(Effect.uninterruptible(over(put("late", "written")))))
      yield* waiting(1)
      yield* close
      assert.isTrue(isBusy(yield* Fiber.join(writing)))
    }))
})
