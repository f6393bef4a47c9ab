import { assert, describe } from "@effect/vitest"
import { Duration, Effect, Fiber, Logger } from "effect"
import { BusinessTime, steadily } from "../src/index.js"
import { virtual } from "../src/testing.js"

const patiently = steadily({ message: "It stumbled", first: "1 second", longest: "4 seconds" })

/** Work that fails so many times, noting when it was begun. */
const flaky = (failures: number, begun: Array<number>) =>
  Effect.gen(function*() {
    begun.push(yield* BusinessTime.now)
    return begun.length > failures ? "done" : yield* Effect.die(new TypeError("+919876543210 could not be written"))
  })

describe("steadily", () => {
  virtual("takes work up again after ever longer pauses, up to the longest", () => {
    const begun: Array<number> = []
    return Effect.gen(function*() {
      assert.strictEqual(yield* patiently(flaky(5, begun)), "done")
      const pauses = begun.slice(1).map((at, index) => at - (begun[index] ?? 0))
      assert.deepStrictEqual(pauses, [1000, 2000, 4000, 4000, 4000])
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
  })

  virtual("logs what kind of failure it was, and nothing that it said", () => {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
    return Effect.gen(function*() {
      yield* patiently(flaky(1, []))
      assert.match(lines.join(), /It stumbled.*TypeError/)
      assert.notMatch(lines.join(), /98765|written/)
    }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  })

  virtual("ends when it is interrupted, in the work and in a pause", () =>
    Effect.gen(function*() {
      for (const work of [Effect.never, Effect.die("always")]) {
        const fiber = yield* Effect.fork(patiently(work))
        yield* BusinessTime.sleep(Duration.seconds(2))
        assert.strictEqual((yield* Fiber.interrupt(fiber))._tag, "Failure")
      }
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger))))

  virtual("goes on when a part of the work fails beside others, which are interrupted for it", () => {
    const begun: Array<number> = []
    return Effect.gen(function*() {
      const work = Effect.all([flaky(2, begun), Effect.delay(Effect.void, "1 minute")], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* patiently(work), ["done", undefined])
      assert.lengthOf(begun, 3)
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
  })
})
