import { assert, layer } from "@effect/vitest"
import { SqlSqlite } from "@trunkline/sqlite"
import { Sql, statement } from "@trunkline/storage-kysely"
import { Effect, Exit } from "effect"
import { get } from "./Files.js"

const insert = "insert into accounts (account_id, body) values (?, ?)"
const find = "select body from accounts where account_id = ?"

layer(SqlSqlite.layer({ file: ":memory:" }))("statements of one step", (it) => {
  it.effect("see what those before them wrote, and return a result", () =>
    Effect.gen(function*() {
      const { statements } = yield* Sql
      const bodies = yield* statements(function*() {
        yield* statement(insert, ["seen", "first"])
        const { rows } = yield* statement<{ readonly body: string }>(find, ["seen"])
        return rows.map(({ body }) => body)
      })
      assert.deepStrictEqual(bodies, ["first"])
    }))

  it.effect("let the event loop turn when there are very many of them", () =>
    Effect.gen(function*() {
      const { statements } = yield* Sql
      let turns = 0
      const ticking = setInterval(() => turns++, 0)
      const written = yield* statements(function*() {
        let count = 0
        for (; count < 20_000; count++) yield* statement(insert, [`many/${count}`, "kept"])
        return count
      }).pipe(Effect.ensuring(Effect.sync(() => clearInterval(ticking))))
      assert.strictEqual(written, 20_000)
      assert.isAbove(turns, 0)
      assert.strictEqual(yield* get("many/19999"), "kept")
    }))

  it.effect("leave nothing when one of them fails, at the first or after the event loop has turned", () =>
    Effect.gen(function*() {
      const { statements } = yield* Sql
      for (const before of [1, 20_000]) {
        const exit = yield* Effect.exit(statements(function*() {
          for (let count = 0; count < before; count++) yield* statement(insert, [`failed/${count}`, "lost"])
          yield* statement("insert into nowhere values (?)", [1])
        }))
        assert.isTrue(Exit.isFailure(exit))
        assert.isUndefined(yield* get("failed/0"))
      }
    }))

  it.effect("join the running transaction", () =>
    Effect.gen(function*() {
      const { statements, transaction } = yield* Sql
      const exit = yield* Effect.exit(transaction(Effect.zipRight(
        statements(function*() {
          yield* statement(insert, ["joined", "lost"])
        }),
        Effect.fail("refused")
      )))
      assert.deepStrictEqual(exit, Exit.fail("refused"))
      assert.isUndefined(yield* get("joined"))
    }))
})
