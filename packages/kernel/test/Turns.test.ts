import { assert, describe, it } from "@effect/vitest"
import { makeTurns } from "@trunkline/kernel"
import { Deferred, Effect, Exit, Fiber } from "effect"

describe("turns", () => {
  it.effect("are taken one at a time, in the order of arrival", () =>
    Effect.gen(function*() {
      const turns = makeTurns()
      const order: Array<string> = []
      const work = (name: string) =>
        turns.take(Effect.gen(function*() {
          order.push(`${name} begins`)
          yield* Effect.yieldNow()
          order.push(`${name} ends`)
        }))
      yield* Effect.all([work("a"), work("b"), work("c")], { concurrency: "unbounded" })
      assert.deepStrictEqual(order, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"])
    }))

  it.effect("go to those who wait before one who has just had a turn gets another", () =>
    Effect.gen(function*() {
      const turns = makeTurns()
      const greedy = yield* Effect.fork(Effect.forever(turns.take(Effect.yieldNow())))
      yield* Effect.yieldNow()
      let served = 0
      yield* Effect.repeatN(turns.take(Effect.sync(() => served++)), 9)
      yield* Fiber.interrupt(greedy)
      assert.strictEqual(served, 10)
    }))

  it.effect("pass on after a failure, a defect, and an interruption at any moment", () =>
    Effect.gen(function*() {
      const turns = makeTurns()
      assert.isTrue(Exit.isFailure(yield* Effect.exit(turns.take(Effect.fail("no")))))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(turns.take(Effect.die("no")))))
      for (let steps = 0; steps < 20; steps++) {
        const go = yield* Deferred.make<void>()
        const first = yield* Effect.fork(turns.take(Deferred.await(go)))
        const second = yield* Effect.fork(turns.take(Effect.repeatN(Effect.yieldNow(), 3)))
        yield* Effect.yieldNow()
        yield* Deferred.succeed(go, undefined)
        yield* Effect.repeatN(Effect.yieldNow(), steps)
        yield* Fiber.interruptAll([first, second])
        assert.strictEqual(yield* turns.waiting, 0)
        assert.strictEqual(yield* turns.take(Effect.succeed(steps)), steps)
      }
    }))
})
