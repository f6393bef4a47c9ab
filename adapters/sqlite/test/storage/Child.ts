import { SqlSqlite } from "@trunkline/sqlite"
import { Ownership, Sql } from "@trunkline/storage-kysely"
import { Cause, Console, Effect, Exit, Layer } from "effect"
import { get, put } from "./Files.js"

const [file = "", work = "", lease = "30000"] = process.argv.slice(2)
const large = "x".repeat(10_000)

/** Commits one row, then stays in a transaction with more rows than the cache holds. */
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

/** Repeatedly writes a number twice in a transaction, and prints it. */
const counting = Effect.gen(function*() {
  const sql = yield* Sql
  for (let count = 1; count < Number.MAX_SAFE_INTEGER; count++) {
    yield* sql.transaction(Effect.zipRight(put("first", String(count)), put("second", String(count))))
    yield* Console.log(count)
  }
})

/** Repeatedly writes a number, and prints it with the value that a guest has written. */
const serving = Effect.gen(function*() {
  for (let count = 1; count < Number.MAX_SAFE_INTEGER; count++) {
    yield* put("count", String(count))
    yield* Console.log(`${count} ${(yield* get("guest")) ?? "-"}`)
  }
})

const report = (what: string, exit: Exit.Exit<unknown, never>) =>
  Console.log(`${what} ${Exit.isSuccess(exit) ? "kept" : Cause.squash(exit.cause)}`)

/** Writes in every way, stops itself, and writes again when it is resumed, until another process has taken over. */
const stopping = Effect.gen(function*() {
  const { fence, isSafe, lost } = yield* Ownership
  const { transaction } = yield* Sql
  const beside = yield* Layer.build(SqlSqlite.layerBeside({ file, fence: fence?.number ?? 0 }))
  const writeAll = Effect.gen(function*() {
    yield* report("transaction", yield* Effect.exit(transaction(put("zombie", "transaction"))))
    yield* report("query", yield* Effect.exit(put("zombie", "query")))
    yield* report("beside", yield* Effect.exit(Effect.provide(put("zombie", "beside"), beside)))
  })
  yield* writeAll
  yield* Console.log("stopping")
  yield* Effect.sync(() => process.kill(process.pid, "SIGSTOP"))
  yield* Console.log(`safe ${yield* isSafe}`)
  yield* writeAll
  yield* Console.log(`lost ${(yield* lost).message}`)
}).pipe(Effect.scoped)

const works = { counting, serving, stopping: Effect.orDie(stopping), unfinished }

const isWork = (name: string): name is keyof typeof works => name in works

const keepAlive = setInterval(() => {}, 60_000)

await Effect.runPromise(
  Effect.provide(isWork(work) ? works[work] : Effect.void, SqlSqlite.layer({ file, lease: Number(lease) }))
).finally(() => clearInterval(keepAlive))
