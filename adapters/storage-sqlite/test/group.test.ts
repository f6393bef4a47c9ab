import { assert, layer } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Sql } from "@trunkline/storage-kysely"
import { SqlSqlite } from "@trunkline/storage-sqlite"
import BetterSqlite from "better-sqlite3"
import { Context, Effect, Exit, FastCheck, Fiber, FiberId, Layer, Scheduler } from "effect"
import { sql } from "kysely"
import { get, put, temporaryFile } from "./files.js"

/** Somebody else's look into the file: only what is committed. */
class Visitor extends Context.Tag("Visitor")<Visitor, (key: string) => string | undefined>() {}

const visitorOf = (file: string) =>
  Layer.scoped(
    Visitor,
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
  Effect.map(temporaryFile, (file) => Layer.provideMerge(visitorOf(file), SqlSqlite.layer({ file })))
)

/** Runs a fiber, and interrupts it once, after so many steps. */
const interruptingAfter = (steps: number): Scheduler.Scheduler => {
  let left = steps
  return {
    scheduleTask: (task, priority) => Scheduler.defaultScheduler.scheduleTask(task, priority),
    shouldYield: (fiber) => {
      if (left-- === 0) fiber.unsafeInterruptAsFork(FiberId.none)
      return false
    }
  }
}

const insert = "insert into accounts (account_id, body) values (?, ?) on conflict do update set body = excluded.body"
const ready = (key: string, body: string) =>
  Effect.flatMap(Sql, ({ execute }) => Effect.asVoid(execute(insert, [key, body])))
const brokenReady = Effect.flatMap(Sql, ({ execute }) => Effect.asVoid(execute("insert into nowhere values (?)", [1])))

const broken = Effect.flatMap(Sql, ({ query }) => query((db) => sql`insert into nowhere values (1)`.execute(db)))

/** Writes "half" and then "whole" under a key, and ends in some way. */
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
  "a transaction that breaks": Effect.flatMap(
    Sql,
    ({ transaction }) => transaction(Effect.zipRight(put(key, "half"), broken))
  ),
  "a transaction of ready statements": Effect.flatMap(
    Sql,
    ({ transaction }) => transaction(Effect.zipRight(ready(key, "half"), ready(key, "whole")))
  ),
  "a transaction of all kinds of statements": Effect.flatMap(
    Sql,
    ({ transaction }) =>
      transaction(
        ready(key, "half").pipe(
          Effect.zipRight(put(key, "half")),
          Effect.zipRight(Effect.yieldNow()),
          Effect.zipRight(ready(key, "whole"))
        )
      )
  ),
  "a ready statement that breaks a transaction": Effect.flatMap(
    Sql,
    ({ transaction }) => transaction(Effect.zipRight(ready(key, "half"), brokenReady))
  ),
  "a ready statement": ready(key, "whole"),
  "a ready statement that breaks": brokenReady,
  "a query": put(key, "whole"),
  "a query that breaks": broken
})

const kinds = FastCheck.constantFrom<keyof ReturnType<typeof writing>>(
  "a transaction",
  "a transaction that fails",
  "a transaction that breaks",
  "a transaction of ready statements",
  "a transaction of all kinds of statements",
  "a ready statement that breaks a transaction",
  "a ready statement",
  "a ready statement that breaks",
  "a query",
  "a query that breaks"
)

const several = FastCheck.array(
  FastCheck.record({
    kind: kinds,
    delay: FastCheck.nat(4),
    /** After how many steps it is interrupted; most are not. */
    interrupted: FastCheck.oneof({ weight: 3, arbitrary: FastCheck.constant(100_000) }, FastCheck.nat(150))
  }),
  { minLength: 1, maxLength: 40 }
)

let rounds = 0

layer(owned)("those who wait for each other", (it) => {
  it.effect.prop(
    "are on the disk when they say so, as a whole or not at all, whoever breaks or is interrupted",
    [several],
    ([all]) =>
      Effect.gen(function*() {
        const look = yield* Visitor
        const round = ++rounds
        const fibers = yield* Effect.forEach(all, ({ delay, interrupted, kind }, index) => {
          const key = `${round}/${index}`
          return Effect.repeatN(Effect.yieldNow(), delay).pipe(
            Effect.zipRight(writing(key)[kind]),
            Effect.exit,
            Effect.map((exit) => ({ exit, seen: look(key) })),
            Effect.withScheduler(interruptingAfter(interrupted)),
            Effect.fork
          )
        })
        for (const [index, fiber] of fibers.entries()) {
          const done = yield* Fiber.await(fiber)
          const kept = yield* get(`${round}/${index}`)
          assert.notStrictEqual(kept, "half")
          if (Exit.isFailure(done)) continue
          const { exit, seen } = done.value
          assert.strictEqual(seen, Exit.isSuccess(exit) ? "whole" : undefined)
          assert.strictEqual(kept, seen)
        }
      }),
    { fastCheck: { numRuns: propertyRuns(60) } }
  )
})
