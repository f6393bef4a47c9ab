import { assert, layer } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { SqlSqlite } from "@trunkline/sqlite"
import { Sql, statement } from "@trunkline/storage-kysely"
import BetterSqlite from "better-sqlite3"
import { Context, Effect, Exit, FastCheck, Fiber, FiberId, Layer, Scheduler } from "effect"
import { sql } from "kysely"
import { get, put, temporaryFile } from "./Files.js"

/** Reads the file through another connection, which sees only what is committed. */
class Observer extends Context.Tag("Observer")<Observer, (key: string) => string | undefined>() {}

const observerOf = (file: string) =>
  Layer.scoped(
    Observer,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new BetterSqlite(file, { readonly: true })),
        (outside) => Effect.sync(() => outside.close())
      ),
      (outside) => {
        const find = outside.prepare<[string], { readonly body: string }>(
          "select body from accounts where account_id = ?"
        )
        return (key) => find.get(key)?.body
      }
    )
  )

const owned = Layer.unwrapScoped(
  Effect.map(temporaryFile, (file) => Layer.provideMerge(observerOf(file), SqlSqlite.layer({ file })))
)

/** A scheduler that interrupts its fiber after so many steps. */
const interruptingAfter = (steps: number): Scheduler.Scheduler => {
  let remaining = steps
  return {
    scheduleTask: (task, priority) => Scheduler.defaultScheduler.scheduleTask(task, priority),
    shouldYield: (fiber) => {
      if (remaining-- === 0) fiber.unsafeInterruptAsFork(FiberId.none)
      return false
    }
  }
}

const insert = "insert into accounts (account_id, body) values (?, ?) on conflict do update set body = excluded.body"
const executeText = (key: string, body: string) =>
  Effect.flatMap(Sql, ({ execute }) => Effect.asVoid(execute(insert, [key, body])))
const failingText = Effect.flatMap(Sql, ({ execute }) => Effect.asVoid(execute("insert into nowhere values (?)", [1])))

const failingQuery = Effect.flatMap(Sql, ({ query }) => query((db) => sql`insert into nowhere values (1)`.execute(db)))

/** Writes some bodies under a key, one after the other, and fails then where it should. */
const step = (key: string, bodies: ReadonlyArray<string>, fails: boolean) =>
  Effect.flatMap(Sql, ({ statements }) =>
    statements(function*() {
      for (const body of bodies) yield* statement(insert, [key, body])
      if (fails) yield* statement("insert into nowhere values (?)", [1])
    }))

/** Writes "half" and then "whole" under a key, with various endings. */
const writing = (key: string) => ({
  "a transaction": Effect.flatMap(
    Sql,
    ({ transaction }) =>
      transaction(put(key, "half").pipe(Effect.zipRight(Effect.yieldNow()), Effect.zipRight(put(key, "whole"))))
  ),
  "a transaction that fails": Effect.flatMap(
    Sql,
    ({ transaction }) => transaction(Effect.zipRight(put(key, "half"), Effect.fail("refused")))
  ),
  "a transaction whose query fails": Effect.flatMap(
    Sql,
    ({ transaction }) => transaction(Effect.zipRight(put(key, "half"), failingQuery))
  ),
  "a transaction of prepared texts": Effect.flatMap(
    Sql,
    ({ transaction }) => transaction(Effect.zipRight(executeText(key, "half"), executeText(key, "whole")))
  ),
  "a transaction of all kinds of statements": Effect.flatMap(
    Sql,
    ({ transaction }) =>
      transaction(
        executeText(key, "half").pipe(
          Effect.zipRight(put(key, "half")),
          Effect.zipRight(Effect.yieldNow()),
          Effect.zipRight(executeText(key, "whole"))
        )
      )
  ),
  "a prepared text that fails in a transaction": Effect.flatMap(
    Sql,
    ({ transaction }) => transaction(Effect.zipRight(executeText(key, "half"), failingText))
  ),
  "statements of one step": step(key, ["half", "whole"], false),
  "statements of one step that fail": step(key, ["half"], true),
  "a transaction of statements": Effect.flatMap(
    Sql,
    ({ transaction }) => transaction(Effect.zipRight(step(key, ["half"], false), step(key, ["half", "whole"], false)))
  ),
  "a transaction of statements that fail": Effect.flatMap(
    Sql,
    ({ transaction }) => transaction(Effect.zipRight(step(key, ["half"], false), step(key, ["half"], true)))
  ),
  "a prepared text": executeText(key, "whole"),
  "a prepared text that fails": failingText,
  "a query": put(key, "whole"),
  "a query that fails": failingQuery
})

const kinds = FastCheck.constantFrom<keyof ReturnType<typeof writing>>(
  "a transaction",
  "a transaction that fails",
  "a transaction whose query fails",
  "a transaction of prepared texts",
  "a transaction of all kinds of statements",
  "a prepared text that fails in a transaction",
  "statements of one step",
  "statements of one step that fail",
  "a transaction of statements",
  "a transaction of statements that fail",
  "a prepared text",
  "a prepared text that fails",
  "a query",
  "a query that fails"
)

const several = FastCheck.array(
  FastCheck.record({
    kind: kinds,
    delay: FastCheck.nat(4),
    /** Number of steps after which it is interrupted; most never are. */
    interrupted: FastCheck.oneof({ weight: 3, arbitrary: FastCheck.constant(100_000) }, FastCheck.nat(150))
  }),
  { minLength: 1, maxLength: 40 }
)

let rounds = 0

layer(owned)("transactions that share a commit", (it) => {
  it.effect.prop(
    "are on the disk when they complete, each as a whole or not at all, whichever fail or are interrupted",
    [several],
    ([plan]) =>
      Effect.gen(function*() {
        const look = yield* Observer
        const round = ++rounds
        const fibers = yield* Effect.forEach(plan, ({ delay, interrupted, kind }, index) => {
          const key = `${round}/${index}`
          const write: Effect.Effect<unknown, string, Sql> = writing(key)[kind]
          return Effect.repeatN(Effect.yieldNow(), delay).pipe(
            Effect.zipRight(write),
            Effect.exit,
            Effect.map((exit) => ({ exit, seen: look(key) })),
            Effect.withScheduler(interruptingAfter(interrupted)),
            Effect.fork
          )
        })
        for (const [index, fiber] of fibers.entries()) {
          const done = yield* Fiber.await(fiber)
          const value = yield* get(`${round}/${index}`)
          assert.notStrictEqual(value, "half")
          if (Exit.isFailure(done)) continue
          const { exit, seen } = done.value
          assert.strictEqual(seen, Exit.isSuccess(exit) ? "whole" : undefined)
          assert.strictEqual(value, seen)
        }
      }),
    { fastCheck: { numRuns: propertyRuns(60) } }
  )
})
