import { assert, describe } from "@effect/vitest"
import { AttemptId, BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { CallRegistry, LiveCalls } from "@trunkline/telephony"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { makeCallDrain } from "../src/operations/DrainCalls.js"

const layer = Layer.merge(LiveCalls.layer, CallRegistry.layer)

/** A call that takes ten seconds, and one of an hour that can be left; tells when it was. */
const twoCalls = Effect.gen(function*() {
  const [live, registry] = [yield* LiveCalls, yield* CallRegistry]
  const leaving = yield* Deferred.make<number>()
  const leave = Effect.flatMap(BusinessTime.now, (now) => Effect.asVoid(Deferred.succeed(leaving, now)))
  const long = Effect.raceFirst(Effect.sleep("1 hour"), Effect.zipRight(Deferred.await(leaving), Effect.interrupt))
  yield* live.start(Effect.sleep("10 seconds"))
  yield* live.start(registry.leavingBy(AttemptId.make("attempt-1"), leave)(long))
  return { leaving, live }
})

describe("the end of a process with calls", () => {
  virtualTest(
    "waits for those that end with it, and then leaves the others to the next process",
    () =>
      Effect.gen(function*() {
        const { leaving, live } = yield* twoCalls
        const since = yield* BusinessTime.now
        yield* (yield* makeCallDrain(true)).close
        assert.approximately((yield* Deferred.await(leaving)) - since, 10_000, 100)
        assert.strictEqual(yield* live.count, 0)
        assert.isFalse(yield* live.start(Effect.void))
      }).pipe(Effect.scoped, Effect.provide(layer))
  )

  virtualTest("leaves them at once when there is no more time", () =>
    Effect.gen(function*() {
      const { leaving } = yield* twoCalls
      const since = yield* BusinessTime.now
      const drain = yield* makeCallDrain(true)
      yield* Effect.timeoutOption(drain.close, "3 seconds")
      yield* drain.leave
      assert.strictEqual((yield* Deferred.await(leaving)) - since, 3_000)
    }).pipe(Effect.scoped, Effect.provide(layer)))

  virtualTest("waits for all of them where nobody could go on", () =>
    Effect.gen(function*() {
      const { leaving } = yield* twoCalls
      const since = yield* BusinessTime.now
      const closing = yield* Effect.fork((yield* makeCallDrain(false)).close)
      yield* Fiber.join(closing)
      assert.strictEqual((yield* BusinessTime.now) - since, 3_600_000)
      assert.isFalse(yield* Deferred.isDone(leaving))
    }).pipe(Effect.scoped, Effect.provide(layer)))
})
