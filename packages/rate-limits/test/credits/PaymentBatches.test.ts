import { assert, describe, it } from "@effect/vitest"
import { makeFairMutex } from "@trunkline/kernel"
import { Array, Deferred, Effect, Exit, Fiber } from "effect"
import { makePaymentBatches } from "../../src/credits/PaymentBatches.js"

/** Payments into a list of committed names, and the number of payments of each transaction. */
const makeLedger = () => {
  const committed: Array<string> = []
  const transactions: Array<number> = []
  let written: Array<string> = []
  const mutex = makeFairMutex()
  const run = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    mutex.withLock(Effect.suspend(() => {
      written = []
      return Effect.onExit(Effect.zipLeft(work, Effect.yieldNow()), (exit) =>
        Effect.sync(() => {
          if (Exit.isFailure(exit)) return
          committed.push(...written)
          transactions.push(written.length)
        }))
    }))
  const write = (name: string) => Effect.sync(() => void written.push(name))
  return { committed, transactions, write, inBatch: makePaymentBatches(run) }
}

const names = Array.makeBy(10, (index) => `payment ${index}`)

describe("payments in batches", () => {
  it.effect("share a transaction when they arrive together, in the order of arrival", () =>
    Effect.gen(function*() {
      const { committed, inBatch, transactions, write } = makeLedger()
      const paid = yield* Effect.forEach(names, (name) => Effect.as(inBatch(write(name)), name), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(paid, names)
      assert.deepStrictEqual(committed, names)
      assert.deepStrictEqual(transactions, [10])
    }))

  it.effect("have a transaction of their own when they arrive one after the other", () =>
    Effect.gen(function*() {
      const { inBatch, transactions, write } = makeLedger()
      yield* Effect.forEach(names, (name) => inBatch(write(name)))
      assert.deepStrictEqual(transactions, names.map(() => 1))
    }))

  it.effect("put at most 100 into a transaction", () =>
    Effect.gen(function*() {
      const { committed, inBatch, transactions, write } = makeLedger()
      const many = Array.makeBy(250, String)
      yield* Effect.forEach(many, (name) => inBatch(write(name)), { concurrency: "unbounded" })
      assert.deepStrictEqual(committed, many)
      assert.deepStrictEqual(transactions, [100, 100, 50])
    }))

  it.effect("fail on their own", () =>
    Effect.gen(function*() {
      const { committed, inBatch, write } = makeLedger()
      const outcomes = yield* Effect.forEach(
        names,
        (name) => Effect.exit(inBatch(name === names[3] ? Effect.fail("refused") : write(name))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(outcomes.map(Exit.isSuccess), names.map((name) => name !== names[3]))
      assert.deepStrictEqual(committed, names.filter((name) => name !== names[3]))
    }))

  it.effect("are each done again, once, when one of them breaks the transaction", () =>
    Effect.gen(function*() {
      const { committed, inBatch, write } = makeLedger()
      const outcomes = yield* Effect.forEach(
        names,
        (name) =>
          Effect.exit(inBatch(Effect.zipRight(write(name), name === names[3] ? Effect.die("broken") : Effect.void))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(outcomes.map(Exit.isSuccess), names.map((name) => name !== names[3]))
      assert.sameMembers(committed, names.filter((name) => name !== names[3]))
    }))

  it.effect("go on when the leader is interrupted, while it waits and during its transaction", () =>
    Effect.gen(function*() {
      const { committed, inBatch, write } = makeLedger()
      const startSignal = yield* Deferred.make<void>()
      const first = yield* Effect.fork(inBatch(Effect.zipRight(Deferred.succeed(startSignal, undefined), Effect.never)))
      const others = yield* Effect.forEach(names, (name) => Effect.fork(inBatch(write(name))))
      yield* Deferred.await(startSignal)
      const late = yield* Effect.fork(inBatch(write("late")))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      yield* Fiber.joinAll([...others, late])
      assert.sameMembers(committed, [...names, "late"])
      yield* inBatch(write("last"))
      assert.strictEqual(committed.at(-1), "last")
    }))

  it.effect("are not done when they are interrupted before their transaction", () =>
    Effect.gen(function*() {
      const { committed, inBatch, write } = makeLedger()
      const go = yield* Deferred.make<void>()
      const first = yield* Effect.fork(inBatch(Effect.zipRight(Deferred.await(go), write("first"))))
      yield* Effect.repeatN(Effect.yieldNow(), 5)
      const [waiting, next] = [yield* Effect.fork(inBatch(write("gone"))), yield* Effect.fork(inBatch(write("next")))]
      yield* Effect.repeatN(Effect.yieldNow(), 5)
      yield* Fiber.interrupt(waiting)
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.joinAll([first, next])
      assert.deepStrictEqual(committed, ["first", "next"])
    }))
})
