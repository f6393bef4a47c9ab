import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, timeoutAfter, timeoutAt } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Deferred, Effect, Either, Exit, Fiber, Ref, TestClock } from "effect"

const late = Effect.fail("late")

/** Work whose interruption takes an hour, after which it records the time. */
const slowToInterrupt = (noted: Deferred.Deferred<number>) =>
  Effect.onInterrupt(
    Effect.never,
    () =>
      Effect.flatMap(
        Effect.zipRight(BusinessTime.sleep("1 hour"), BusinessTime.now),
        (now) => Deferred.succeed(noted, now)
      )
  )

describe("timeouts that abandon their effect", () => {
  virtualTest("return the result of an effect that ends before", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* timeoutAt(10, late)(Effect.delay(Effect.succeed(1), 9)), 1)
      assert.strictEqual(yield* BusinessTime.now, 9)
      assert.deepStrictEqual(yield* Effect.flip(timeoutAt(20, late)(Effect.fail("own"))), "own")
      const broken = yield* Effect.exit(timeoutAt(20, late)(Effect.die("broken")))
      assert.isTrue(Exit.isFailure(broken))
      assert.strictEqual(yield* timeoutAfter("1 second", late)(Effect.delay(Effect.succeed(2), 999)), 2)
    }))

  virtualTest(
    "continue at the moment and interrupt the effect without waiting for it",
    () =>
      Effect.gen(function*() {
        const noted = yield* Deferred.make<number>()
        assert.deepStrictEqual(yield* Effect.either(timeoutAt(10, late)(slowToInterrupt(noted))), Either.left("late"))
        assert.strictEqual(yield* BusinessTime.now, 10)
        assert.strictEqual(yield* Deferred.await(noted), 10 + 3_600_000)
      })
  )

  virtualTest(
    "expire at once for a past moment, unless the effect completes synchronously",
    () =>
      Effect.gen(function*() {
        yield* BusinessTime.sleep(50)
        assert.deepStrictEqual(yield* Effect.either(timeoutAt(10, late)(Effect.never)), Either.left("late"))
        assert.strictEqual(yield* timeoutAt(10, late)(Effect.succeed("done")), "done")
        assert.strictEqual(yield* BusinessTime.now, 50)
      })
  )

  virtualTest("can be interrupted without waiting for the effect", () =>
    Effect.gen(function*() {
      const noted = yield* Deferred.make<number>()
      const fiber = yield* Effect.fork(timeoutAfter("1 day", late)(slowToInterrupt(noted)))
      yield* BusinessTime.sleep(5)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      assert.strictEqual(yield* BusinessTime.now, 5)
      assert.strictEqual(yield* Deferred.await(noted), 5 + 3_600_000)
    }))

  virtualTest(
    "are uninterruptible in an uninterruptible region, and so is the effect",
    () =>
      Effect.gen(function*() {
        const ended = yield* Ref.make(false)
        const work = Effect.zipRight(Effect.sleep(20), Ref.set(ended, true))
        const fiber = yield* Effect.fork(Effect.uninterruptible(timeoutAt(10, Effect.void)(work)))
        yield* BusinessTime.sleep(1)
        yield* Fiber.interrupt(fiber)
        assert.strictEqual(yield* BusinessTime.now, 10)
        yield* BusinessTime.sleep(15)
        assert.isTrue(yield* Ref.get(ended))
      })
  )

  it.effect("go on with what follows, whatever the effect does then, on a clock that only supports sleeping", () =>
    Effect.gen(function*() {
      const follow = Effect.delay(Effect.succeed("followed"), "1 hour")
      const ends = Effect.uninterruptible(Effect.delay(Effect.succeed("too late"), "2 minutes"))
      const after = yield* Effect.fork(timeoutAfter("1 minute", follow)(ends))
      const at = yield* Effect.fork(timeoutAt(60_000, follow)(ends))
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual([yield* Fiber.join(after), yield* Fiber.join(at)], ["followed", "followed"])
    }))

  it.effect("work on a clock that only supports sleeping", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.fork(Effect.either(timeoutAfter("1 minute", late)(Effect.never)))
      const soon = yield* Effect.fork(timeoutAt(90_000, late)(Effect.delay(Effect.succeed("in time"), "80 seconds")))
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(yield* Fiber.join(fiber), Either.left("late"))
      assert.strictEqual(yield* Fiber.join(soon), "in time")
    }))

  it.live("work on the clock of the process and leave no timer behind", () =>
    Effect.gen(function*() {
      const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length
      yield* Effect.sleep(5)
      const before = timers()
      assert.deepStrictEqual(yield* Effect.either(timeoutAfter("5 millis", late)(Effect.never)), Either.left("late"))
      const now = yield* BusinessTime.now
      assert.deepStrictEqual(yield* Effect.either(timeoutAt(now + 5, late)(Effect.never)), Either.left("late"))
      assert.strictEqual(yield* timeoutAfter("60 days", late)(Effect.succeed("in time")), "in time")
      const fiber = yield* Effect.fork(timeoutAfter("1 hour", late)(Effect.never))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      yield* Effect.sleep(5)
      assert.isAtMost(timers(), before, "timers of earlier tests may have ended meanwhile")
    }))
})
