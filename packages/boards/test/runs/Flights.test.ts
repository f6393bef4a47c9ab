import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { makeFlights } from "../../src/runs/Flights.js"

/** Work that waits for a signal and counts its starts and interruptions. */
const gatedWork = Effect.gen(function*() {
  const gate = yield* Deferred.make<string, string>()
  const seen = { begun: 0, brokenOff: 0 }
  const work = Effect.sync(() => seen.begun++).pipe(
    Effect.zipRight(Deferred.await(gate)),
    Effect.onInterrupt(() => Effect.sync(() => seen.brokenOff++))
  )
  return { gate, seen, work }
})

const settle = Effect.repeatN(Effect.yieldNow(), 20)

describe("single flight", () => {
  it.scoped("lets concurrent callers share one run, and starts another for later callers", () =>
    Effect.gen(function*() {
      const flights = yield* makeFlights<string, string>()
      const { gate, seen, work } = yield* gatedWork
      const many = yield* Effect.fork(Effect.all(Array.from({ length: 50 }, () => flights.join("a", work)), {
        concurrency: "unbounded"
      }))
      yield* settle
      assert.strictEqual(seen.begun, 1)
      yield* Deferred.succeed(gate, "done")
      assert.deepStrictEqual(new Set(yield* Fiber.join(many)), new Set(["done"]))
      yield* flights.join("a", work)
      assert.strictEqual(seen.begun, 2)
    }))

  it.scoped("keeps different keys separate", () =>
    Effect.gen(function*() {
      const flights = yield* makeFlights<string, string>()
      const { gate, seen, work } = yield* gatedWork
      const both = yield* Effect.fork(Effect.all([flights.join("a", work), flights.join("b", work)], {
        concurrency: 2
      }))
      yield* settle
      assert.strictEqual(seen.begun, 2)
      yield* Deferred.succeed(gate, "done")
      yield* Fiber.join(both)
    }))

  it.scoped("continues when some callers leave, including the first", () =>
    Effect.gen(function*() {
      const flights = yield* makeFlights<string, string>()
      const { gate, seen, work } = yield* gatedWork
      const first = yield* Effect.fork(flights.join("a", work))
      yield* settle
      const second = yield* Effect.fork(flights.join("a", work))
      const third = yield* Effect.fork(flights.join("a", work))
      yield* settle
      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(third)
      assert.deepStrictEqual(seen, { begun: 1, brokenOff: 0 })
      yield* Deferred.succeed(gate, "done")
      assert.strictEqual(yield* Fiber.join(second), "done")
    }))

  it.scoped("interrupts the run when all callers have left, and starts anew for later ones", () =>
    Effect.gen(function*() {
      const flights = yield* makeFlights<string, string>()
      const { gate, seen, work } = yield* gatedWork
      const fibers = yield* Effect.all([Effect.fork(flights.join("a", work)), Effect.fork(flights.join("a", work))])
      yield* settle
      yield* Fiber.interruptAll(fibers)
      assert.deepStrictEqual(seen, { begun: 1, brokenOff: 1 })
      const late = yield* Effect.fork(flights.join("a", work))
      yield* settle
      assert.strictEqual(seen.begun, 2)
      yield* Deferred.succeed(gate, "done")
      assert.strictEqual(yield* Fiber.join(late), "done")
    }))

  it.scoped("interrupts the run even when the caller is in an uninterruptible region", () =>
    Effect.gen(function*() {
      const flights = yield* makeFlights<string, string>()
      const { seen, work } = yield* gatedWork
      const fiber = yield* Effect.fork(Effect.uninterruptibleMask((restore) => restore(flights.join("a", work))))
      yield* settle
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(seen, { begun: 1, brokenOff: 1 })
    }))

  it.scoped("passes a failure to all callers and caches none", () =>
    Effect.gen(function*() {
      const flights = yield* makeFlights<string, string>()
      const { gate, seen, work } = yield* gatedWork
      const both = yield* Effect.forkAll([
        Effect.either(flights.join("a", work)),
        Effect.either(flights.join("a", work))
      ])
      yield* settle
      yield* Deferred.fail(gate, "broken")
      assert.deepStrictEqual((yield* Fiber.join(both)).map(({ _tag }) => _tag), ["Left", "Left"])
      yield* Effect.either(flights.join("a", work))
      assert.strictEqual(seen.begun, 2)
    }))

  it.effect("ends running work with the scope", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const flights = yield* Scope.extend(makeFlights<string, string>(), scope)
      const { seen, work } = yield* gatedWork
      const fiber = yield* Effect.fork(flights.join("a", work))
      yield* settle
      yield* Scope.close(scope, Exit.void)
      const exit = yield* Fiber.await(fiber)
      assert.isTrue(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause))
      assert.deepStrictEqual(seen, { begun: 1, brokenOff: 1 })
    }))
})
