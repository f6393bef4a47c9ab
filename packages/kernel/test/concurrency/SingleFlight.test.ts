import { assert, describe, it } from "@effect/vitest"
import { makeSingleFlight } from "@trunkline/kernel"
import { Cause, Deferred, Effect, Exit, Fiber, Scope } from "effect"

/** Work that waits for a gate and counts its starts and interruptions. */
const gated = Effect.gen(function*() {
  const gate = yield* Deferred.make<string, string>()
  const seen = { started: 0, interrupted: 0 }
  const work = Effect.sync(() => seen.started++).pipe(
    Effect.zipRight(Deferred.await(gate)),
    Effect.onInterrupt(() => Effect.sync(() => seen.interrupted++))
  )
  return { gate, seen, work }
})

const settle = Effect.repeatN(Effect.yieldNow(), 20)

describe("SingleFlight", () => {
  it.scoped("shares one run among concurrent callers, and starts another for a later one", () =>
    Effect.gen(function*() {
      const flights = yield* makeSingleFlight<string, string>()
      const { gate, seen, work } = yield* gated
      const many = yield* Effect.fork(Effect.all(Array.from({ length: 50 }, () => flights.join("a", work)), {
        concurrency: "unbounded"
      }))
      yield* settle
      assert.strictEqual(seen.started, 1)
      yield* Deferred.succeed(gate, "done")
      assert.deepStrictEqual(new Set(yield* Fiber.join(many)), new Set(["done"]))
      yield* flights.join("a", work)
      assert.strictEqual(seen.started, 2)
    }))

  it.scoped("runs different keys separately", () =>
    Effect.gen(function*() {
      const flights = yield* makeSingleFlight<string, string>()
      const { gate, seen, work } = yield* gated
      const both = yield* Effect.fork(Effect.all([flights.join("a", work), flights.join("b", work)], {
        concurrency: 2
      }))
      yield* settle
      assert.strictEqual(seen.started, 2)
      yield* Deferred.succeed(gate, "done")
      yield* Fiber.join(both)
    }))

  it.scoped("continues for the others when some callers are interrupted, even the first", () =>
    Effect.gen(function*() {
      const flights = yield* makeSingleFlight<string, string>()
      const { gate, seen, work } = yield* gated
      const first = yield* Effect.fork(flights.join("a", work))
      yield* settle
      const second = yield* Effect.fork(flights.join("a", work))
      const third = yield* Effect.fork(flights.join("a", work))
      yield* settle
      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(third)
      assert.deepStrictEqual(seen, { started: 1, interrupted: 0 })
      yield* Deferred.succeed(gate, "done")
      assert.strictEqual(yield* Fiber.join(second), "done")
    }))

  it.scoped("interrupts the run after the last caller, and starts anew for the next", () =>
    Effect.gen(function*() {
      const flights = yield* makeSingleFlight<string, string>()
      const { gate, seen, work } = yield* gated
      const fibers = yield* Effect.all([Effect.fork(flights.join("a", work)), Effect.fork(flights.join("a", work))])
      yield* settle
      yield* Fiber.interruptAll(fibers)
      assert.deepStrictEqual(seen, { started: 1, interrupted: 1 })
      const late = yield* Effect.fork(flights.join("a", work))
      yield* settle
      assert.strictEqual(seen.started, 2)
      yield* Deferred.succeed(gate, "done")
      assert.strictEqual(yield* Fiber.join(late), "done")
    }))

  it.scoped("interrupts the run of a caller inside an uninterruptible mask", () =>
    Effect.gen(function*() {
      const flights = yield* makeSingleFlight<string, string>()
      const { seen, work } = yield* gated
      const fiber = yield* Effect.fork(Effect.uninterruptibleMask((restore) => restore(flights.join("a", work))))
      yield* settle
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(seen, { started: 1, interrupted: 1 })
    }))

  it.scoped("fails all callers with the failure, and does not keep it", () =>
    Effect.gen(function*() {
      const flights = yield* makeSingleFlight<string, string>()
      const { gate, seen, work } = yield* gated
      const both = yield* Effect.forkAll([
        Effect.either(flights.join("a", work)),
        Effect.either(flights.join("a", work))
      ])
      yield* settle
      yield* Deferred.fail(gate, "broken")
      assert.deepStrictEqual((yield* Fiber.join(both)).map(({ _tag }) => _tag), ["Left", "Left"])
      yield* Effect.either(flights.join("a", work))
      assert.strictEqual(seen.started, 2)
    }))

  it.effect("interrupts running effects with the scope", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const flights = yield* Scope.extend(makeSingleFlight<string, string>(), scope)
      const { seen, work } = yield* gated
      const fiber = yield* Effect.fork(flights.join("a", work))
      yield* settle
      yield* Scope.close(scope, Exit.void)
      const exit = yield* Fiber.await(fiber)
      assert.isTrue(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause))
      assert.deepStrictEqual(seen, { started: 1, interrupted: 1 })
    }))
})
