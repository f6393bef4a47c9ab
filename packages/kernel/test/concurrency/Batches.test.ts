import { assert, describe, it } from "@effect/vitest"
import { makeBatches } from "@trunkline/kernel"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"

const settle = Effect.repeatN(Effect.yieldNow(), 20)

/** Batches that double numbers; each run waits for the gate, and dies with a negative number. */
const doubling = (limit = 100) =>
  Effect.gen(function*() {
    const gate = yield* Deferred.make<void>()
    const runs: Array<ReadonlyArray<number>> = []
    const batches = yield* makeBatches({
      limit,
      run: (items: ReadonlyArray<number>) =>
        Effect.suspend(() => {
          runs.push(items)
          return Effect.zipRight(
            Deferred.await(gate),
            items.some((item) => item < 0)
              ? Effect.dieMessage("negative")
              : Effect.succeed(items.map((item) => item * 2))
          )
        })
    })
    const submitAll = (items: ReadonlyArray<number>) =>
      Effect.forEach(items, (item) => Effect.tap(Effect.fork(batches.submit(item)), settle))
    return { open: Deferred.succeed(gate, undefined), runs, batches, submitAll }
  })

describe("Batches", () => {
  it.scoped("runs the first item alone, and those that arrive meanwhile together, each with its own result", () =>
    Effect.gen(function*() {
      const { open, runs, submitAll } = yield* doubling()
      const fibers = yield* submitAll([1, 2, 3, 4])
      yield* open
      assert.deepStrictEqual(yield* Fiber.join(Fiber.all(fibers)), [2, 4, 6, 8])
      assert.deepStrictEqual(runs, [[1], [2, 3, 4]])
    }))

  it.scoped("takes no more items than the limit at once, in the order of their arrival", () =>
    Effect.gen(function*() {
      const { open, runs, submitAll } = yield* doubling(2)
      const fibers = yield* submitAll([1, 2, 3, 4, 5, 6])
      yield* open
      yield* Fiber.join(Fiber.all(fibers))
      assert.deepStrictEqual(runs, [[1], [2, 3], [4, 5], [6]])
    }))

  it.scoped("runs each item of a failed run again, so that only the harmful one fails", () =>
    Effect.gen(function*() {
      const { open, runs, submitAll } = yield* doubling()
      const fibers = yield* submitAll([1, 2, -3, 4])
      yield* open
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, true])
      assert.deepStrictEqual(runs, [[1], [2, -3, 4], [2], [-3], [4]])
    }))

  it.scoped("withdraws the waiting item of an interrupted caller", () =>
    Effect.gen(function*() {
      const { open, runs, submitAll } = yield* doubling()
      const fibers = yield* submitAll([1, 2, 3])
      yield* Fiber.interruptAll(fibers.slice(1, 2))
      yield* open
      yield* Effect.forEach(fibers, Fiber.await)
      assert.deepStrictEqual(runs, [[1], [3]])
    }))

  it.scoped("goes on for the others when the caller that runs is interrupted", () =>
    Effect.gen(function*() {
      const { open, runs, submitAll } = yield* doubling()
      const [first, ...others] = yield* submitAll([1, 2, 3])
      assert.isDefined(first)
      yield* Fiber.interrupt(first)
      yield* open
      assert.deepStrictEqual(yield* Fiber.join(Fiber.all(others)), [4, 6])
      assert.deepStrictEqual(runs, [[1], [2, 3]])
    }))

  it.scoped("runs again after all callers have been served", () =>
    Effect.gen(function*() {
      const { batches, open, runs } = yield* doubling()
      yield* open
      assert.strictEqual(yield* batches.submit(1), 2)
      assert.strictEqual(yield* batches.submit(2), 4)
      assert.deepStrictEqual(runs, [[1], [2]])
    }))

  it.effect("interrupts the callers that still wait when its scope ends", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { runs, submitAll } = yield* Scope.extend(doubling(), scope)
      const [first, ...others] = yield* submitAll([1, 2, 3])
      assert.isDefined(first)
      yield* Scope.close(scope, Exit.void)
      const exits = yield* Effect.forEach(others, Fiber.await)
      assert.deepStrictEqual(exits.map(Exit.isInterrupted), [true, true])
      assert.deepStrictEqual(runs, [[1]])
      yield* Fiber.interrupt(first)
    }))
})
