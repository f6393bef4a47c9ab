import { Sql } from "@trunkline/storage-kysely"
import { SqlSqlite } from "@trunkline/storage-sqlite"
import { Console, Effect } from "effect"
import { get, put } from "./files.js"

const [file = "", work = ""] = process.argv.slice(2)
const large = "x".repeat(10_000)

/** Commits one row, and stays in a transaction with more rows than the cache holds. */
const unfinished = Effect.gen(function*() {
  const sql = yield* Sql
  yield* put("committed", "yes")
  return yield* sql.transaction(Effect.gen(function*() {
    yield* put("committed", "overwritten")
    for (let row = 0; row < 2_500; row++) yield* put(`uncommitted-${row}`, large)
    yield* Console.log("inside")
    return yield* Effect.never
  }))
})

/** Writes a number twice in a transaction and tells it, again and again. */
const counting = Effect.gen(function*() {
  const sql = yield* Sql
  for (let count = 1; count < Number.MAX_SAFE_INTEGER; count++) {
    yield* sql.transaction(Effect.zipRight(put("first", String(count)), put("second", String(count))))
    yield* Console.log(count)
  }
})

/** Writes a number again and again, and tells it with what a guest has put beside it. */
const serving = Effect.gen(function*() {
  for (let count = 1; count < Number.MAX_SAFE_INTEGER; count++) {
    yield* put("count", String(count))
    yield* Console.log(`${count} ${(yield* get("guest")) ?? "-"}`)
  }
})

const works: Readonly<Record<string, Effect.Effect<void, never, Sql>>> = { counting, serving, unfinished }

const keepAlive = setInterval(() => {}, 60_000)

await Effect.runPromise(
  Effect.provide(works[work] ?? Effect.void, SqlSqlite.layer({ file }))
).finally(() => clearInterval(keepAlive))
