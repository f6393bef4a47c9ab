import { assert, describe, it } from "@effect/vitest"
import { crashableTransactions, MemoryTable, Transactions } from "@trunkline/kernel"
import { transactionsLaws, TransactionsProbe } from "@trunkline/kernel/testing"
import { Deferred, Effect, Layer } from "effect"

const probe = Layer.sync(TransactionsProbe, () => {
  const rows = MemoryTable.make<string, string>()
  return TransactionsProbe.of({
    put: (key, value) => rows.set(key, value),
    get: (key) => Effect.sync(() => rows.get(key))
  })
})

const noHooks = { onCommit: () => {}, around: <A>(effect: A) => effect }

transactionsLaws(
  "crashable",
  Layer.merge(Layer.sync(Transactions, () => crashableTransactions(noHooks).transactions), probe)
)

describe("crashableTransactions", () => {
  it.effect("rolls back an open transaction at a crash, and does not commit it later", () =>
    Effect.gen(function*() {
      const rows = MemoryTable.make<string, number>()
      yield* rows.set("before", 1)
      const begun = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      let commits = 0
      const { crash, transactions } = crashableTransactions({ ...noHooks, onCommit: () => commits++ })
      const work = Effect.gen(function*() {
        yield* rows.set("before", 2)
        yield* rows.set("new", 2)
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(go)
      })
      yield* Effect.fork(transactions.run(work))
      yield* Deferred.await(begun)
      crash()
      assert.deepStrictEqual([...rows.entries()], [["before", 1]])
      assert.strictEqual(commits, 0)
    }))

  it.effect("reports each commit once, without nested transactions", () =>
    Effect.gen(function*() {
      const events: Array<string> = []
      const { transactions: { run } } = crashableTransactions({
        onCommit: () => events.push("commit"),
        around: (effect) => Effect.tap(effect, () => Effect.sync(() => events.push("after")))
      })
      yield* run(run(Effect.void))
      yield* Effect.exit(run(Effect.fail("no")))
      assert.deepStrictEqual(events, ["commit", "after"])
    }))
})
