import { assert, describe, it } from "@effect/vitest"
import { Sql } from "@trunkline/storage-kysely"
import { SqlPostgres } from "@trunkline/storage-postgres"
import { Context, Effect, Layer } from "effect"
import { migratedDatabase, onPostgres, onServer } from "../../../test/setup/Postgres.js"

onPostgres(() => {
  describe("a process of an earlier version", () => {
    it.scopedLive("goes on to read and write tables that have got columns", () =>
      Effect.gen(function*() {
        const url = yield* migratedDatabase
        const { execute, serializable, transaction } = Context.get(
          yield* Layer.build(SqlPostgres.layer({ url, connections: 2 })),
          Sql
        )
        const add = (id: string) =>
          execute("insert into accounts (account_id, body) values (?, '{}') returning *", [id])
        const read = execute<{ readonly account_id: string }>("select * from accounts order by account_id", [])
        const work = (id: string) => Effect.zipRight(add(id), read)
        yield* work("a")
        for (
          const [column, run] of [["one", work("b")], ["two", transaction(work("c"))], [
            "three",
            serializable(work("d"))
          ]] as const
        ) {
          yield* Effect.promise(() => onServer(`alter table accounts add column ${column} text default 'later'`, url))
          yield* run
        }
        const { rows } = yield* read
        assert.deepStrictEqual(rows.map(({ account_id }) => account_id), ["a", "b", "c", "d"])
      }))
  })
})
