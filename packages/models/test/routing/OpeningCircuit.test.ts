import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { type BreakerOptions, type ModelFailure, withCircuitBreakers } from "@trunkline/models"
import { answers, fails, fakeModel, type FakeStep, hangs, says } from "@trunkline/models/testing"
import { Effect, Fiber, Stream } from "effect"
import { few, isLeftAlone, openBefore } from "./CircuitFixtures.js"
import { failed, limited, refused, timedOut, unavailable } from "./Failures.js"
import { ask, hello, read, ways } from "./Reading.js"

/** Checks whether the circuit is open after eight answers of this kind. */
const opensAfter = (script: ReadonlyArray<FakeStep>, options: BreakerOptions = few) =>
  Effect.gen(function*() {
    const inner = fakeModel([script])
    const model = withCircuitBreakers(inner, options)
    yield* Effect.repeatN(read(model), 7)
    return yield* isLeftAlone(inner, model)
  })

describe("the circuit of a failing model", () => {
  virtualTest("opens, and reports the time of the next probe", () =>
    Effect.gen(function*() {
      const { inner, model } = yield* openBefore(answers("Hi"))
      yield* Effect.sleep("5 seconds")
      const { failure } = yield* read(model)
      assert.strictEqual(failure?._tag, "ModelUnavailable")
      assert.include(failure?.message, "10 s")
      assert.strictEqual(inner.calls.length, 4)
    }))

  virtualTest("does not open for a few failures, nor for a small share of many calls", () =>
    Effect.gen(function*() {
      const once = fakeModel([[fails(failed)], [fails(failed)], [fails(failed)], answers("Hi")])
      const model = withCircuitBreakers(once, few)
      assert.deepStrictEqual(yield* Effect.replicateEffect(ask(model), 4), [
        "ModelFailed",
        "ModelFailed",
        "ModelFailed",
        "Hi"
      ])
      const sometimes = Array.from({ length: 60 }, (_, index) => index % 3 === 2 ? [fails(failed)] : answers("Hi"))
      const some = fakeModel(sometimes)
      yield* Effect.replicateEffect(ask(withCircuitBreakers(some, few)), 60)
      assert.strictEqual(some.calls.length, 60)
    }))

  virtualTest("forgets old failures", () =>
    Effect.gen(function*() {
      const inner = fakeModel([[fails(failed)]])
      const model = withCircuitBreakers(inner, few)
      yield* Effect.repeatN(Effect.zipRight(ask(model), Effect.sleep("11 seconds")), 9)
      assert.strictEqual(inner.calls.length, 10)
    }))

  virtualTest(
    "counts failures of every kind, but not rejections or rate limits",
    () =>
      Effect.gen(function*() {
        const opens = (failure: ModelFailure, options = few) => opensAfter([fails(failure)], options)
        for (const failure of [unavailable, failed, timedOut]) assert.isTrue(yield* opens(failure))
        assert.isFalse(yield* opens(refused))
        assert.isFalse(yield* opens(limited("1 second")))
        assert.isTrue(yield* opens(limited("1 second"), { ...few, rateLimits: true }))
      })
  )

  virtualTest(
    "counts a truncated stream as a failure, with an error and without",
    () =>
      Effect.gen(function*() {
        assert.isTrue(yield* opensAfter([...says("Half of"), fails(failed)]))
        assert.isTrue(yield* opensAfter(says("Half of")))
        assert.isFalse(yield* opensAfter(answers("All")))
        assert.isFalse(yield* opensAfter([...answers("All"), fails(failed)]))
      })
  )

  virtualTest("counts defects", () =>
    Effect.gen(function*() {
      let calls: Array<string> = []
      const die = Effect.suspend(() => {
        calls = [...calls, "called"]
        return Effect.die("broken")
      })
      const model = withCircuitBreakers({ generate: () => die, stream: () => Stream.fromEffect(die) }, few)
      yield* Effect.repeatN(Effect.exit(ask(model)), 1)
      yield* Effect.repeatN(Effect.exit(read(model)), 7)
      assert.strictEqual(calls.length, 4)
    }))

  virtualTest("does not count disconnects of clients", () =>
    Effect.gen(function*() {
      for (const script of [[hangs], [...says("Half of"), hangs]]) {
        const inner = fakeModel([script])
        const model = withCircuitBreakers(inner, few)
        for (const asking of ways) {
          for (let index = 0; index < 8; index++) {
            const client = yield* Effect.fork(asking(model))
            yield* Effect.sleep("1 millis")
            yield* Fiber.interrupt(client)
          }
        }
        assert.strictEqual(inner.calls.length, 16)
      }
    }))

  virtualTest("does not count readers that stop early or fail", () =>
    Effect.gen(function*() {
      const inner = fakeModel([[...says("One", " two"), fails(failed)]])
      const model = withCircuitBreakers(inner, few)
      yield* Effect.repeatN(Stream.runDrain(Stream.take(model.stream(hello), 1)), 7)
      const clumsy = Stream.runForEach(model.stream(hello), () => Effect.fail("the socket is closed"))
      yield* Effect.repeatN(Effect.exit(clumsy), 7)
      assert.isFalse(yield* isLeftAlone(inner, model))
    }))

  virtualTest(
    "weighs failures against successes only",
    () =>
      Effect.gen(function*() {
        const refusals = Array.from({ length: 20 }, () => [fails(refused)])
        const inner = fakeModel([...refusals, [fails(failed)]])
        const model = withCircuitBreakers(inner, few)
        yield* Effect.replicateEffect(ask(model), 30)
        assert.strictEqual(inner.calls.length, 24)
      })
  )

  virtualTest("belongs to one id: another id of the same model has its own", () =>
    Effect.gen(function*() {
      const { inner, model } = yield* openBefore(answers("Hi"))
      assert.strictEqual(yield* ask(model, { ...hello, model: "model-g" }), "Hi")
      assert.isTrue(yield* isLeftAlone(inner, model))
    }))
})

describe("the circuits of models", () => {
  const requestFor = (model: string) => ({ ...hello, model })

  virtualTest("are kept for served models only", () =>
    Effect.gen(function*() {
      const { inner, model } = yield* openBefore([fails(refused)])
      for (let index = 0; index < 1_000; index++) {
        yield* ask(model, requestFor(`${index}`))
        assert.strictEqual(yield* ask(model), "ModelUnavailable")
      }
      assert.strictEqual(inner.calls.length, 4 + 1_000)
    }))

  virtualTest("are forgotten after many other models were called", () =>
    Effect.gen(function*() {
      const { model } = yield* openBefore([fails(refused)])
      const others = (from: number, count: number) =>
        Effect.forEach(
          Array.from({ length: count }, (_, index) => `${from + index}`),
          (id) => ask(model, requestFor(id))
        )
      yield* others(0, 255)
      assert.strictEqual(yield* ask(model), "ModelUnavailable")
      yield* others(255, 256)
      assert.strictEqual(yield* ask(model), "BadRequest")
    }))
})
