import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, describeCause, retryForever } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Cause, Duration, Effect, Fiber, Logger } from "effect"

const retrying = retryForever({ message: "The work failed", initialDelay: "1 second", maxDelay: "4 seconds" })

/** Work that dies a number of times and records the times of its starts. */
const flaky = (failures: number, starts: Array<number>) =>
  Effect.gen(function*() {
    starts.push(yield* BusinessTime.now)
    return starts.length > failures ? "done" : yield* Effect.die(new TypeError("+919876543210 could not be written"))
  })

describe("steadily", () => {
  virtualTest("restarts after delays that double up to the longest", () => {
    const starts: Array<number> = []
    return Effect.gen(function*() {
      assert.strictEqual(yield* retrying(flaky(5, starts)), "done")
      const delays = starts.slice(1).map((at, index) => at - (starts[index] ?? 0))
      assert.deepStrictEqual(delays, [1000, 2000, 4000, 4000, 4000])
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
  })

  virtualTest("logs the kind of a failure without its message", () => {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
    return Effect.gen(function*() {
      yield* retrying(flaky(1, []))
      assert.match(lines.join(), /The work failed.*TypeError/)
      assert.notMatch(lines.join(), /98765|written/)
    }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  })

  virtualTest("ends when it is interrupted, both in the work and in a delay", () =>
    Effect.gen(function*() {
      for (const work of [Effect.never, Effect.die("always")]) {
        const fiber = yield* Effect.fork(retrying(work))
        yield* BusinessTime.sleep(Duration.seconds(2))
        assert.strictEqual((yield* Fiber.interrupt(fiber))._tag, "Failure")
      }
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger))))

  virtualTest("restarts when one of several concurrent parts fails", () => {
    const starts: Array<number> = []
    return Effect.gen(function*() {
      const work = Effect.all([flaky(2, starts), Effect.delay(Effect.void, "1 minute")], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* retrying(work), ["done", undefined])
      assert.lengthOf(starts, 3)
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
  })
})

describe("describeCause", () => {
  it("names errors and their stack frames without their messages", () => {
    const secret = "call +919876543210\n    at home: sk_test_1\n    at sk_test_1:1:1"
    const text = describeCause(Cause.parallel(Cause.die(new RangeError(secret)), Cause.fail({ _tag: "Odd", secret })))
    assert.include(text, "RangeError")
    assert.include(text, "Odd")
    assert.include(text, "RetryForever.test.ts")
    assert.notMatch(text, /98765|sk_test|call/)
    assert.strictEqual(describeCause(Cause.die("sk_test_1")), "string")
  })
})
