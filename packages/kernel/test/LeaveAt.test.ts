import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, leaveAfter, leaveAt } from "@trunkline/kernel"
import { virtual } from "@trunkline/kernel/testing"
import { Deferred, Effect, Either, Exit, Fiber, Ref, TestClock } from "effect"

const late = Effect.fail("late")

/** Work that notes when it is interrupted, which takes it an hour. */
const stubborn = (noted: Deferred.Deferred<number>) =>
  Effect.onInterrupt(
    Effect.never,
    () =>
      Effect.flatMap(
        Effect.zipRight(BusinessTime.sleep("1 hour"), BusinessTime.now),
        (now) => Deferred.succeed(noted, now)
      )
  )

describe("leaving an effect at a moment", () => {
  virtual("gives what it gives when it ends before", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* leaveAt(10, late)(Effect.delay(Effect.succeed(1), 9)), 1)
      assert.strictEqual(yield* BusinessTime.now, 9)
      assert.deepStrictEqual(yield* Effect.flip(leaveAt(20, late)(Effect.fail("own"))), "own")
      const broken = yield* Effect.exit(leaveAt(20, late)(Effect.die("broken")))
      assert.isTrue(Exit.isFailure(broken))
      assert.strictEqual(yield* leaveAfter("1 second", late)(Effect.delay(Effect.succeed(2), 999)), 2)
    }))

  virtual(
    "goes on at the moment, and interrupts what is left behind without waiting for it",
    () =>
      Effect.gen(function*() {
        const noted = yield* Deferred.make<number>()
        assert.deepStrictEqual(yield* Effect.either(leaveAt(10, late)(stubborn(noted))), Either.left("late"))
        assert.strictEqual(yield* BusinessTime.now, 10)
        assert.strictEqual(yield* Deferred.await(noted), 10 + 3_600_000)
      })
  )

  virtual(
    "leaves at once at a moment that has passed, unless the effect is done at once",
    () =>
      Effect.gen(function*() {
        yield* BusinessTime.sleep(50)
        assert.deepStrictEqual(yield* Effect.either(leaveAt(10, late)(Effect.never)), Either.left("late"))
        assert.strictEqual(yield* leaveAt(10, late)(Effect.succeed("done")), "done")
        assert.strictEqual(yield* BusinessTime.now, 50)
      })
  )

  virtual("is left itself without waiting when it is interrupted", () =>
    Effect.gen(function*() {
      const noted = yield* Deferred.make<number>()
      const fiber = yield* Effect.fork(leaveAfter("1 day", late)(stubborn(noted)))
      yield* BusinessTime.sleep(5)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      assert.strictEqual(yield* BusinessTime.now, 5)
      assert.strictEqual(yield* Deferred.await(noted), 5 + 3_600_000)
    }))

  virtual(
    "cannot be interrupted where its surroundings cannot, and neither can the effect",
    () =>
      Effect.gen(function*() {
        const ended = yield* Ref.make(false)
        const work = Effect.zipRight(Effect.sleep(20), Ref.set(ended, true))
        const fiber = yield* Effect.fork(Effect.uninterruptible(leaveAt(10, Effect.void)(work)))
        yield* BusinessTime.sleep(1)
        yield* Fiber.interrupt(fiber)
        assert.strictEqual(yield* BusinessTime.now, 10)
        yield* BusinessTime.sleep(15)
        assert.isTrue(yield* Ref.get(ended))
      })
  )

  it.effect("does the same in a time that can only be slept in", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.fork(Effect.either(leaveAfter("1 minute", late)(Effect.never)))
      const soon = yield* Effect.fork(leaveAt(90_000, late)(Effect.delay(Effect.succeed("in time"), "80 seconds")))
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(yield* Fiber.join(fiber), Either.left("late"))
      assert.strictEqual(yield* Fiber.join(soon), "in time")
    }))

  it.live("does the same on the clock of the process, and leaves no timer behind", () =>
    Effect.gen(function*() {
      const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length
      yield* Effect.sleep(5)
      const before = timers()
      assert.deepStrictEqual(yield* Effect.either(leaveAfter("5 millis", late)(Effect.never)), Either.left("late"))
      const now = yield* BusinessTime.now
      assert.deepStrictEqual(yield* Effect.either(leaveAt(now + 5, late)(Effect.never)), Either.left("late"))
      assert.strictEqual(yield* leaveAfter("60 days", late)(Effect.succeed("in time")), "in time")
      const fiber = yield* Effect.fork(leaveAfter("1 hour", late)(Effect.never))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      yield* Effect.sleep(5)
      assert.isAtMost(timers(), before, "timers of tests before this one may have ended meanwhile")
    }))
})
