import { assert, describe, it } from "@effect/vitest"
import { StoreUnavailable } from "@trunkline/kernel"
import { Sql } from "@trunkline/storage-kysely"
import { SqlPostgres } from "@trunkline/storage-postgres"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import { migratedDatabase, onPostgres } from "../../../test/setup/Postgres.js"
import { proxyBefore } from "../../../test/setup/Proxy.js"

/** A commit as it is sent, unlike "read committed". */
const commit = "commit\0"

/** A process on a database behind a proxy, and its accounts. */
const opened = Effect.gen(function*() {
  const database = yield* migratedDatabase
  const proxy = yield* proxyBefore(database)
  const services = yield* Layer.build(SqlPostgres.layer({ url: proxy.url, connections: 2 }))
  const sql = Context.get(services, Sql)
  const accounts = Effect.map(
    sql.execute<{ readonly account_id: string }>("select account_id from accounts order by 1", []),
    ({ rows }) => rows.map(({ account_id }) => account_id)
  )
  const add = (id: string) => sql.execute("insert into accounts (account_id, body) values (?, '{}')", [id])
  return { accounts, add, proxy, sql, database }
})

const isUnavailable = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreUnavailable

onPostgres(() => {
  describe("a database that is away", () => {
    it.scopedLive("fails calls as unavailable until it is back", () =>
      Effect.gen(function*() {
        const { accounts, add, proxy, sql } = yield* opened
        yield* add("a")
        proxy.close()
        const calls: ReadonlyArray<Effect.Effect<unknown>> = [
          accounts,
          add("b"),
          sql.transaction(add("b")),
          sql.serializable(accounts)
        ]
        for (const call of calls) assert.isTrue(isUnavailable(yield* Effect.exit(call)))
        proxy.open()
        yield* add("c")
        assert.deepStrictEqual(yield* accounts, ["a", "c"])
      }))

    it.scopedLive("is used over new connections after all of them were lost, also those in the middle of work", () =>
      Effect.gen(function*() {
        const { accounts, add, proxy, sql } = yield* opened
        yield* Effect.all([add("a"), add("b")], { concurrency: 2 })
        proxy.cut()
        assert.deepStrictEqual(yield* accounts, ["a", "b"])
        let runs = 0
        yield* sql.transaction(Effect.gen(function*() {
          runs += 1
          yield* add("c")
          if (runs === 1) proxy.cut()
          yield* add("d")
        }))
        assert.deepStrictEqual([runs, yield* accounts], [2, ["a", "b", "c", "d"]])
      }))

    it.scopedLive("survives the end of its backends by the server while their connections are in use", () =>
      Effect.gen(function*() {
        const { accounts, add, database, sql } = yield* opened
        const admin = Context.get(yield* Layer.build(SqlPostgres.layerShared({ url: database, connections: 1 })), Sql)
        let runs = 0
        yield* sql.transaction(Effect.gen(function*() {
          runs += 1
          yield* add("a")
          if (runs > 1) return
          yield* admin.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity "
              + "where datname = current_database() and pid <> pg_backend_pid()",
            []
          )
          // The connection is lost while the transaction waits for something else.
          yield* Effect.sleep("50 millis")
        }))
        assert.deepStrictEqual([runs, yield* accounts], [2, ["a"]])
      }))
  })

  describe("a commit whose answer is lost", () => {
    for (const kind of ["transaction", "serializable"] as const) {
      it.scopedLive(`is known to have been done, and not done twice: ${kind}`, () =>
        Effect.gen(function*() {
          const { accounts, add, proxy, sql } = yield* opened
          let runs = 0
          proxy.cutAt(commit, "after")
          const work = Effect.zipRight(Effect.sync(() => runs += 1), Effect.as(add("a"), "done"))
          assert.strictEqual(yield* sql[kind](work), "done")
          assert.deepStrictEqual([runs, yield* accounts], [1, ["a"]])
        }))

      it.scopedLive(`is done again when the server never had it: ${kind}`, () =>
        Effect.gen(function*() {
          const { accounts, add, proxy, sql } = yield* opened
          let runs = 0
          proxy.cutAt(commit, "before")
          const work = Effect.zipRight(Effect.sync(() => runs += 1), Effect.as(add("a"), "done"))
          assert.strictEqual(yield* sql[kind](work), "done")
          assert.deepStrictEqual([runs, yield* accounts], [2, ["a"]])
        }))
    }

    it.scopedLive("is found out for a statement on its own too", () =>
      Effect.gen(function*() {
        const { accounts, add, proxy } = yield* opened
        for (const [id, when] of [["a", "after"], ["b", "before"]] as const) {
          proxy.cutAt(commit, when)
          assert.strictEqual((yield* add(id)).numAffectedRows, 1n)
        }
        assert.deepStrictEqual(yield* accounts, ["a", "b"])
      }))
  })
})
