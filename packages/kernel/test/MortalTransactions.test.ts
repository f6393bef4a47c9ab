import { assert, describe, it } from "@effect/vitest"
import { MemoryTable, mortalTransactions, Transactions } from "@trunkline/kernel"
import { transactionsLaws, TransactionsProbe } from "@trunkline/kernel/testing"
import { Deferred, Effect, Layer } from "effect"

const probe = Layer.sync(TransactionsProbe, () => {
  const rows = MemoryTable.make<string, string>()
  return TransactionsProbe.of({
    put: (key, value) => rows.set(key, value),
    get: (key) => Effect.sync(() => rows.get(key))
  })
})

const untouched = { kept: () => {}, around: <A>(effect: A) => effect }

transactionsLaws(
  "of a life",
  Layer.merge(Layer.sync(Transactions, () => mortalTransactions(untouched).transactions), probe)
)

describe("the transactions of a life", () => {
  it.effect("that ends in the middle of one undo it, and it is not kept when it goes on", () =>
    Effect.gen(function*() {
      const rows = MemoryTable.make<string, number>()
      yield* rows.set("before", 1)
      const begun = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      let kept = 0
      const { die, transactions } = mortalTransactions({ ...untouched, kept: () => kept++ })
      const work = Effect.gen(function*() {
        yield* rows.set("before", 2)
        yield* rows.set("new", 2)
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(go)
      })
      yield* Effect.fork(transactions.run(work))
      yield* Deferred.await(begun)
      die()
      assert.deepStrictEqual([...rows.entries()], [["before", 1]])
      assert.strictEqual(kept, 0)
    }))

  it.effect("tell of each that is kept, once, and of none inside another", () =>
    Effect.gen(function*() {
      const told: Array<string> = []
      const { transactions: { run } } = mortalTransactions({
        kept: () => told.push("kept"),
        around: (effect) => Effect.tap(effect, () => Effect.sync(() => told.push("after")))
      })
      yield* run(run(Effect.void))
      yield* Effect.exit(run(Effect.fail("no")))
      assert.deepStrictEqual(told, ["kept", "after"])
    }))
})
