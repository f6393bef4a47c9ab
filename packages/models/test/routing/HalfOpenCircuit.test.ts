import { assert, describe, it } from "@effect/vitest"
import { VirtualClock } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { type ModelFailure, withCircuitBreakers } from "@trunkline/models"
import { answers, fails, fakeModel, hangs, says, waits } from "@trunkline/models/testing"
import { Clock, Effect, FastCheck, Fiber, Stream } from "effect"
import { few, isLeftAlone, openBefore } from "./CircuitFixtures.js"
import { failed, refused, timedOut } from "./Failures.js"
import { ask, read, ways } from "./Reading.js"

describe("an open circuit", () => {
  virtualTest(
    "is probed by one of the waiting calls, and closes when that succeeds",
    () =>
      Effect.gen(function*() {
        const { inner, model } = yield* openBefore([waits("1 second"), ...answers("Hi")], answers("Hello"))
        yield* Effect.sleep("15 seconds")
        const results = yield* Effect.replicateEffect(ask(model), 10, { concurrency: "unbounded" })
        assert.deepStrictEqual(results.toSorted(), ["Hi", ...Array.from({ length: 9 }, () => "ModelUnavailable")])
        assert.strictEqual(inner.calls.length, 5)
        assert.deepStrictEqual(yield* Effect.replicateEffect(ask(model), 2), ["Hello", "Hello"])
      })
  )

  virtualTest("stays open when the probe fails", () =>
    Effect.gen(function*() {
      const { inner, model } = yield* openBefore([...says("Half of"), fails(failed)], answers("Hi"))
      yield* Effect.sleep("15 seconds")
      yield* read(model)
      yield* Effect.sleep("14999 millis")
      assert.isTrue(yield* isLeftAlone(inner, model))
      yield* Effect.sleep("1 millis")
      assert.strictEqual(yield* ask(model), "Hi")
    }))

  virtualTest("is probed by the next call after a probe was interrupted", () =>
    Effect.gen(function*() {
      const { model } = yield* openBefore([hangs], [...says("One"), hangs], answers("Hi"))
      yield* Effect.sleep("15 seconds")
      for (const asking of ways) {
        const client = yield* Effect.fork(asking(model))
        yield* Effect.sleep("1 second")
        yield* Fiber.interrupt(client)
      }
      assert.strictEqual(yield* ask(model), "Hi")
    }))

  virtualTest("is probed again after a probe that was rejected", () =>
    Effect.gen(function*() {
      const { model } = yield* openBefore([fails(refused)], answers("Hi"))
      yield* Effect.sleep("15 seconds")
      assert.strictEqual(yield* ask(model), "BadRequest")
      assert.strictEqual(yield* ask(model), "Hi")
    }))

  virtualTest(
    "is probed again after each pause during a long probe",
    () =>
      Effect.gen(function*() {
        const { inner, model } = yield* openBefore([...says("Once upon a time"), hangs], answers("Hi"))
        yield* Effect.sleep("15 seconds")
        yield* Effect.fork(read(model))
        yield* Effect.sleep("14 seconds")
        assert.isTrue(yield* isLeftAlone(inner, model))
        yield* Effect.sleep("1 second")
        assert.strictEqual(yield* ask(model), "Hi")
      })
  )

  virtualTest(
    "is probed by one more call, not two, after the older of two probes was interrupted",
    () =>
      Effect.gen(function*() {
        const { inner, model } = yield* openBefore([hangs])
        yield* Effect.sleep("15 seconds")
        const older = yield* Effect.fork(read(model))
        yield* Effect.sleep("15 seconds")
        yield* Effect.fork(read(model))
        yield* Effect.sleep("1 second")
        yield* Fiber.interrupt(older)
        assert.isTrue(yield* isLeftAlone(inner, model))
      })
  )

  virtualTest("counts from zero after it has closed", () =>
    Effect.gen(function*() {
      const { inner, model } = yield* openBefore(answers("Hi"), [fails(failed)])
      yield* Effect.sleep("15 seconds")
      yield* Effect.replicateEffect(ask(model), 8)
      assert.strictEqual(inner.calls.length, 4 + 1 + 4)
    }))

  virtualTest("ignores the results of calls that started before it opened", () =>
    Effect.gen(function*() {
      const inner = fakeModel([
        [waits("1 second"), ...answers("Late")],
        ...Array.from({ length: 4 }, () => [fails(failed)]),
        answers("Hi")
      ])
      const model = withCircuitBreakers(inner, few)
      const late = yield* Effect.fork(ask(model))
      yield* Effect.yieldNow()
      yield* Effect.repeatN(ask(model), 3)
      assert.strictEqual(yield* Fiber.join(late), "Late")
      assert.isTrue(yield* isLeftAlone(inner, model))
    }))

  virtualTest(
    "closes within 30 seconds after an outage of a minute, with few calls meanwhile",
    () =>
      Effect.gen(function*() {
        let calls = 0
        const generate = () =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            calls += 1
            return Effect.fail<ModelFailure>(now < 60_000 ? failed : refused)
          })
        const model = withCircuitBreakers({ generate, stream: () => Stream.empty })
        let backAt = 0
        while (backAt === 0) {
          if ((yield* ask(model)) === "BadRequest") backAt = yield* Clock.currentTimeMillis
          yield* Effect.sleep("500 millis")
        }
        assert.isAtMost(backAt, 90_000)
        assert.isAtMost(calls, 5 + 5)
      })
  )

  it.live.prop(
    "is never probed more than once per pause while probes fail or do not end",
    {
      steps: FastCheck.array(
        FastCheck.record({
          pause: FastCheck.integer({ min: 0, max: 6_000 }),
          script: FastCheck.constantFrom([fails(failed)], [fails(timedOut)], [hangs], [...says("Half of"), hangs])
        }),
        { maxLength: 40 }
      )
    },
    ({ steps }) =>
      Effect.gen(function*() {
        const { inner, model } = yield* openBefore(...steps.map(({ script }) => script), [hangs])
        for (const { pause } of steps) {
          yield* Effect.sleep(pause)
          yield* Effect.forkDaemon(read(model))
          yield* Effect.yieldNow()
        }
        const tries = inner.calls.slice(3).map(({ at }) => at)
        for (const [index, at] of tries.slice(1).entries()) assert.isAtLeast(at - (tries[index] ?? 0), 15_000)
      }).pipe(VirtualClock.run)
  )
})
