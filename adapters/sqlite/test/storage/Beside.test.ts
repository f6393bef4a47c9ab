import { assert, describe, it } from "@effect/vitest"
import { SqlSqlite, StorageSqlite } from "@trunkline/sqlite"
import { Sql } from "@trunkline/storage-kysely"
import { Context, Deferred, Effect, Fiber, Layer, Option } from "effect"
import { sql } from "kysely"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { get, put, temporaryFile } from "./Files.js"

const pragma = (name: string) =>
  Effect.flatMap(Sql, ({ query }) => query((db) => sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)))
    .pipe(Effect.map(({ rows }) => Object.values(rows[0] ?? {})[0]))

/** The owner of a file, and a connection beside it. */
const both = Effect.gen(function*() {
  const file = yield* temporaryFile
  const owner = Context.get(yield* Layer.build(SqlSqlite.layer({ file })), Sql)
  const beside = Context.get(yield* Layer.build(SqlSqlite.layerBeside({ file, fence: 1 })), Sql)
  return {
    owner: <A, E>(effect: Effect.Effect<A, E, Sql>) => Effect.provideService(effect, Sql, owner),
    beside: <A, E>(effect: Effect.Effect<A, E, Sql>) => Effect.provideService(effect, Sql, beside)
  }
})

describe("a connection beside the owner", () => {
  it.scoped("sees the owner's commits, shows its own, and does not wait for the disk", () =>
    Effect.gen(function*() {
      const { beside, owner } = yield* both
      yield* owner(put("owner", "was here"))
      assert.strictEqual(yield* beside(get("owner")), "was here")
      yield* beside(put("beside", "too"))
      assert.strictEqual(yield* owner(get("beside")), "too")
      const settings = Effect.forEach(["journal_mode", "synchronous", "foreign_keys"], pragma)
      assert.deepStrictEqual(yield* beside(settings), ["wal", 1, 1])
      assert.deepStrictEqual(yield* owner(settings), ["wal", 2, 1])
    }))

  it.scopedLive("waits for the owner's commit, as the owner waits for its", () =>
    Effect.gen(function*() {
      const { beside, owner } = yield* both
      for (const [first, second] of [[owner, beside], [beside, owner]] as const) {
        const [startSignal, finish] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const holding = yield* Effect.fork(first(Effect.flatMap(Sql, ({ transaction }) =>
          transaction(
            put("held", "first").pipe(
              Effect.zipRight(Deferred.succeed(startSignal, undefined)),
              Effect.zipRight(Deferred.await(finish))
            )
          ))))
        yield* Deferred.await(startSignal)
        const waiting = yield* Effect.fork(second(put("held", "second")))
        yield* Effect.sleep("30 millis")
        assert.deepStrictEqual(yield* Fiber.poll(waiting), Option.none())
        yield* Deferred.succeed(finish, undefined)
        yield* Fiber.joinAll([holding, waiting])
        assert.strictEqual(yield* first(get("held")), "second")
      }
    }))

  it.scopedLive("lets the owner write between many transactions", () =>
    Effect.gen(function*() {
      const { beside, owner } = yield* both
      const busy = Effect.gen(function*() {
        const { transaction } = yield* Sql
        return yield* Effect.forever(transaction(Effect.forEach([1, 2, 3], (row) => put(`beside-${row}`, "written"))))
      })
      const writing = yield* Effect.fork(beside(busy))
      yield* Effect.forEach([1, 2, 3, 4, 5], (row) => owner(put("owner", `${row}`)))
      assert.deepStrictEqual(yield* Fiber.poll(writing), Option.none())
      yield* Fiber.interrupt(writing)
      assert.strictEqual(yield* beside(get("owner")), "5")
    }))

  it.scoped("fails without a file, and creates none", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const refused = yield* Effect.flip(Layer.build(StorageSqlite.layerBeside({ file, fence: 1 })))
      assert.strictEqual(refused.message, `There is no database at ${file}`)
      assert.isFalse(existsSync(dirname(file)))
      assert.strictEqual(
        (yield* Effect.flip(Layer.build(StorageSqlite.layerBeside({ file: ":memory:", fence: 1 }))))._tag,
        "DatabaseMissing"
      )
    }))
})
