import { assert, describe, it } from "@effect/vitest"
import { makeTurns } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Deferred, Effect, Exit, FastCheck, Fiber, FiberId, Scheduler } from "effect"

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

/** Those who come: after how many steps each is interrupted. */
const visits = FastCheck.array(FastCheck.nat(60), { minLength: 1, maxLength: 12 })

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

  it.effect("end as their maker says, who may leave something to be done before the next or after it", () =>
    Effect.gen(function*() {
      const done: Array<string> = []
      const turns = makeTurns(({ pass, waiting }) => {
        const told = Effect.sync(() => done.push(`${waiting} waited`))
        if (waiting > 0) pass()
        return Effect.zipRight(Effect.yieldNow(), waiting > 0 ? told : Effect.ensuring(told, Effect.sync(pass)))
      })
      const work = (name: string) => turns.take(Effect.zipLeft(Effect.yieldNow(), Effect.sync(() => done.push(name))))
      yield* Effect.all([work("a"), work("b")], { concurrency: "unbounded" })
      assert.sameMembers(done, ["a", "b", "1 waited", "0 waited"])
      assert.deepStrictEqual([done[0], done.at(-1)], ["a", "0 waited"])
      assert.isTrue(Exit.isFailure(yield* Effect.exit(turns.take(Effect.fail("no")))))
      assert.strictEqual(yield* turns.take(Effect.succeed("next")), "next")
    }))

  it.effect.prop("are never lost, whoever is interrupted at any step", [visits], ([visits]) =>
    Effect.gen(function*() {
      const turns = makeTurns()
      let inside = 0
      let most = 0
      const work = Effect.acquireUseRelease(
        Effect.sync(() => most = Math.max(most, ++inside)),
        () => Effect.yieldNow(),
        () => Effect.sync(() => inside--)
      )
      const fibers = yield* Effect.forEach(
        visits,
        (steps) => Effect.fork(Effect.withScheduler(turns.take(work), interruptingAfter(steps)))
      )
      yield* Effect.forEach(fibers, Fiber.await)
      assert.deepStrictEqual([yield* turns.waiting, inside], [0, 0])
      assert.isAtMost(most, 1)
      const next = yield* Effect.fork(turns.take(Effect.void))
      yield* Effect.repeatN(Effect.yieldNow(), 20)
      assert.isTrue(Exit.isSuccess(yield* Effect.flatten(Fiber.poll(next))))
    }), { fastCheck: { numRuns: propertyRuns(100) } })
})
