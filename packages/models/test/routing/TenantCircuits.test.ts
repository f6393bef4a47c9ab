import { assert, describe, it } from "@effect/vitest"
import { VirtualClock } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { withCircuitBreakers, withReliability } from "@trunkline/models"
import { answers, fails, fakeModel, type FakeStep, hangs, says, waits } from "@trunkline/models/testing"
import { Effect, FastCheck } from "effect"
import { failed, timedOut } from "./Failures.js"
import { ask, read } from "./Reading.js"
import { few, of, perTenant } from "./TenantFixtures.js"

describe("the circuit of a tenant whose requests fail", () => {
  virtualTest("opens for this tenant only", () =>
    Effect.gen(function*() {
      const { calls, model } = perTenant({ poison: [[waits("1 second"), fails(failed)]] })
      const guarded = withCircuitBreakers(model, few)
      yield* Effect.replicateEffect(ask(guarded, of("poison")), 20, { concurrency: "unbounded" })
      yield* Effect.repeatN(ask(guarded, of("poison")), 3)
      assert.lengthOf(calls("poison"), 20, "those that were under way at once")
      assert.strictEqual(yield* ask(guarded, of("poison")), "ModelUnavailable")
      assert.strictEqual(yield* ask(guarded, of("other")), "Hi")
    }))

  virtualTest("reports that its own requests failed, and the time of the next probe", () =>
    Effect.gen(function*() {
      const guarded = withCircuitBreakers(perTenant({ poison: [[fails(failed)]] }).model, few)
      yield* Effect.repeatN(ask(guarded, of("poison")), 3)
      const { failure } = yield* read(guarded, of("poison"))
      assert.strictEqual(
        failure?.message,
        "Your requests to this model have failed too often. It is asked again in 15 s."
      )
    }))

  virtualTest("is probed by this tenant, and closes when the probe succeeds", () =>
    Effect.gen(function*() {
      const { calls, model } = perTenant({
        poison: [...Array.from({ length: 5 }, () => [fails(failed)]), answers("Better")]
      })
      const guarded = withCircuitBreakers(model, few)
      yield* Effect.repeatN(ask(guarded, of("poison")), 3)
      yield* Effect.sleep("15 seconds")
      assert.deepStrictEqual(yield* Effect.replicateEffect(ask(guarded, of("poison")), 2), [
        "ModelFailed",
        "ModelUnavailable"
      ])
      yield* Effect.sleep("15 seconds")
      assert.deepStrictEqual(yield* Effect.replicateEffect(ask(guarded, of("poison")), 2), ["Better", "Better"])
      assert.lengthOf(calls("poison"), 7)
    }))

  it.live.prop(
    "never opens for other tenants, for any requests",
    {
      steps: FastCheck.array(
        FastCheck.record({
          pause: FastCheck.integer({ min: 0, max: 8_000 }),
          stays: FastCheck.integer({ min: 0, max: 40_000 }),
          times: FastCheck.integer({ min: 1, max: 5 }),
          script: FastCheck.constantFrom<ReadonlyArray<FakeStep>>(
            [fails(failed)],
            [waits("1 second"), fails(timedOut)],
            [hangs],
            [...says("Half of"), hangs],
            says("Half of"),
            answers("Well")
          )
        }),
        { maxLength: 8 }
      )
    },
    ({ steps }) =>
      Effect.gen(function*() {
        const scripts = steps.flatMap(({ script, times }) => Array.from({ length: times }, () => script))
        const guarded = withCircuitBreakers(perTenant({ poison: [...scripts, [fails(failed)]] }).model, few)
        for (const { pause, stays, times } of steps) {
          yield* Effect.sleep(pause)
          for (let index = 0; index < times; index++) {
            yield* Effect.forkDaemon(Effect.timeoutOption(read(guarded, of("poison")), stays))
          }
          yield* Effect.yieldNow()
          assert.strictEqual(yield* ask(guarded, of("other")), "Hi")
        }
      }).pipe(VirtualClock.run)
  )
})

describe("a request", () => {
  virtualTest("counts once in circuits, for any number of attempts", () =>
    Effect.gen(function*() {
      const inner = fakeModel([[fails(failed)]])
      const model = withReliability(inner, { breaker: few })
      yield* Effect.repeatN(ask(model, of("one")), 2)
      assert.lengthOf(inner.calls, 3 * 4)
      assert.strictEqual(yield* ask(model, of("one")), "ModelFailed")
      assert.strictEqual(yield* ask(model, of("one")), "ModelUnavailable")
    }))

  virtualTest("counts once in circuits, for any number of choices", () =>
    Effect.gen(function*() {
      const inner = fakeModel([[waits("1 second"), fails(failed)]])
      const model = withCircuitBreakers(inner, few)
      const eight = (request: string) =>
        Effect.replicateEffect(ask(model, of("one", request)), 8, { concurrency: "unbounded" })
      for (const request of ["a", "b", "c"]) yield* eight(request)
      assert.deepStrictEqual(new Set(yield* eight("d")), new Set(["ModelFailed"]))
      assert.deepStrictEqual(new Set(yield* eight("e")), new Set(["ModelUnavailable"]))
    }))

  virtualTest("is one probe, for any number of choices", () =>
    Effect.gen(function*() {
      const inner = fakeModel([...Array.from({ length: 4 }, () => [fails(failed)]), [
        waits("1 second"),
        ...answers("Hi")
      ]])
      const model = withCircuitBreakers(inner, few)
      for (const request of ["a", "b", "c", "d"]) yield* ask(model, of("one", request))
      yield* Effect.sleep("15 seconds")
      const results = yield* Effect.replicateEffect(ask(model, of("one", "e")), 3, { concurrency: "unbounded" })
      assert.deepStrictEqual(results, ["Hi", "Hi", "Hi"])
    }))

  virtualTest("is a new one when its id is used again later", () =>
    Effect.gen(function*() {
      const inner = fakeModel([[fails(failed)]])
      const model = withCircuitBreakers(inner, few)
      yield* Effect.repeatN(ask(model, of("one", "a")), 9)
      assert.lengthOf(inner.calls, 4)
    }))
})

describe("the circuits of tenants", () => {
  virtualTest(
    "are forgotten after very many other tenants have called",
    () =>
      Effect.gen(function*() {
        const { calls, model } = perTenant({ poison: [[fails(failed)]] })
        const guarded = withCircuitBreakers(model, few)
        const others = (from: number, count: number) =>
          Effect.forEach(Array.from({ length: count }, (_, index) => `${from + index}`), (id) => ask(guarded, of(id)), {
            discard: true
          })
        yield* Effect.repeatN(ask(guarded, of("poison")), 3)
        yield* others(0, 1_023)
        assert.strictEqual(yield* ask(guarded, of("poison")), "ModelUnavailable")
        yield* others(1_023, 1_024)
        assert.strictEqual(yield* ask(guarded, of("poison")), "ModelFailed")
        assert.lengthOf(calls("poison"), 5)
      })
  )
})
