import { assert, describe, it } from "@effect/vitest"
import { makeFairMutex } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Deferred, Effect, Exit, FastCheck, Fiber, FiberId, Scheduler } from "effect"

/** A scheduler that interrupts a fiber once, after a number of steps. */
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

/** Number of steps after which each caller is interrupted. */
const interruptions = FastCheck.array(FastCheck.nat(60), { minLength: 1, maxLength: 12 })

describe("FairMutex", () => {
  it.effect("runs callers one at a time, in order of arrival", () =>
    Effect.gen(function*() {
      const mutex = makeFairMutex()
      const order: Array<string> = []
      const work = (name: string) =>
        mutex.withLock(Effect.gen(function*() {
          order.push(`${name} begins`)
          yield* Effect.yieldNow()
          order.push(`${name} ends`)
        }))
      yield* Effect.all([work("a"), work("b"), work("c")], { concurrency: "unbounded" })
      assert.deepStrictEqual(order, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"])
    }))

  it.effect("serves waiters before the last holder again", () =>
    Effect.gen(function*() {
      const mutex = makeFairMutex()
      const greedy = yield* Effect.fork(Effect.forever(mutex.withLock(Effect.yieldNow())))
      yield* Effect.yieldNow()
      let served = 0
      yield* Effect.repeatN(mutex.withLock(Effect.sync(() => served++)), 9)
      yield* Fiber.interrupt(greedy)
      assert.strictEqual(served, 10)
    }))

  it.effect("is handed on after a failure, a defect and an interruption at any moment", () =>
    Effect.gen(function*() {
      const mutex = makeFairMutex()
      assert.isTrue(Exit.isFailure(yield* Effect.exit(mutex.withLock(Effect.fail("no")))))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(mutex.withLock(Effect.die("no")))))
      for (let steps = 0; steps < 20; steps++) {
        const go = yield* Deferred.make<void>()
        const first = yield* Effect.fork(mutex.withLock(Deferred.await(go)))
        const second = yield* Effect.fork(mutex.withLock(Effect.repeatN(Effect.yieldNow(), 3)))
        yield* Effect.yieldNow()
        yield* Deferred.succeed(go, undefined)
        yield* Effect.repeatN(Effect.yieldNow(), steps)
        yield* Fiber.interruptAll([first, second])
        assert.strictEqual(yield* mutex.waiting, 0)
        assert.strictEqual(yield* mutex.withLock(Effect.succeed(steps)), steps)
      }
    }))

  it.effect("runs the handover, which may do work before or after passing the mutex on", () =>
    Effect.gen(function*() {
      const done: Array<string> = []
      const mutex = makeFairMutex(({ pass, waiting }) => {
        const note = Effect.sync(() => done.push(`${waiting} waited`))
        if (waiting > 0) pass()
        return Effect.zipRight(Effect.yieldNow(), waiting > 0 ? note : Effect.ensuring(note, Effect.sync(pass)))
      })
      const work = (name: string) =>
        mutex.withLock(Effect.zipLeft(Effect.yieldNow(), Effect.sync(() => done.push(name))))
      yield* Effect.all([work("a"), work("b")], { concurrency: "unbounded" })
      assert.sameMembers(done, ["a", "b", "1 waited", "0 waited"])
      assert.deepStrictEqual([done[0], done.at(-1)], ["a", "0 waited"])
      assert.isTrue(Exit.isFailure(yield* Effect.exit(mutex.withLock(Effect.fail("no")))))
      assert.strictEqual(yield* mutex.withLock(Effect.succeed("next")), "next")
    }))

  it.effect.prop(
    "is never lost, whichever caller is interrupted at any step",
    [interruptions],
    ([interruptions]) =>
      Effect.gen(function*() {
        const mutex = makeFairMutex()
        let inside = 0
        let maxInside = 0
        const work = Effect.acquireUseRelease(
          Effect.sync(() => maxInside = Math.max(maxInside, ++inside)),
          () => Effect.yieldNow(),
          () => Effect.sync(() => inside--)
        )
        const fibers = yield* Effect.forEach(
          interruptions,
          (steps) => Effect.fork(Effect.withScheduler(mutex.withLock(work), interruptingAfter(steps)))
        )
        yield* Effect.forEach(fibers, Fiber.await)
        assert.deepStrictEqual([yield* mutex.waiting, inside], [0, 0])
        assert.isAtMost(maxInside, 1)
        const next = yield* Effect.fork(mutex.withLock(Effect.void))
        yield* Effect.repeatN(Effect.yieldNow(), 20)
        assert.isTrue(Exit.isSuccess(yield* Effect.flatten(Fiber.poll(next))))
      }),
    { fastCheck: { numRuns: propertyRuns(100) } }
  )
})
