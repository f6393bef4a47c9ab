import { assert, describe, it } from "@effect/vitest"
import { ModelUnavailable } from "@trunkline/errors"
import { circuitBreakerSettings, VirtualClock } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { withCircuitBreakers } from "@trunkline/models"
import { answers, fails, fakeModel, type FakeStep, hangs, says, waits } from "@trunkline/models/testing"
import { Clock, Effect, FastCheck, Fiber, Option } from "effect"
import { SharedCircuit, type SharedOutcome } from "../../src/routing/SharedCircuit.js"
import { failed } from "./Failures.js"
import { ask, read } from "./Reading.js"
import { few, type Model, of, perTenant } from "./TenantFixtures.js"

const unreachable = new ModelUnavailable({ message: "no connection", unreachable: true })

/** A model with a circuit that is open for every tenant, because these two failed. */
const openForAll = (scripts: Parameters<typeof perTenant>[0] = {}) =>
  Effect.gen(function*() {
    const failures = Array.from({ length: 4 }, () => [fails(failed)])
    const inner = perTenant({
      ...scripts,
      one: [...failures, ...scripts["one"] ?? [[fails(failed)]]],
      two: [...failures, ...scripts["two"] ?? [[fails(failed)]]]
    })
    const model = withCircuitBreakers(inner.model, few)
    for (const tenant of ["one", "two"]) yield* Effect.repeatN(ask(model, of(tenant)), 3)
    return { ...inner, model }
  })

describe("a model", () => {
  virtualTest("is closed to every tenant when the calls of several fail", () =>
    Effect.gen(function*() {
      const { calls, model } = yield* openForAll()
      const { failure } = yield* read(model, of("three"))
      assert.strictEqual(failure?._tag, "ModelUnavailable")
      assert.strictEqual(
        failure?.message,
        "The model has failed too often. It is asked again in 15 s."
      )
      assert.lengthOf(calls("three"), 0)
    }))

  virtualTest("is closed to every tenant when each of many has failed once", () =>
    Effect.gen(function*() {
      const tenants = Array.from({ length: 10 }, (_, index) => `${index}`)
      const inner = fakeModel([[fails(failed)]])
      const model = withCircuitBreakers(inner, few)
      yield* Effect.forEach(tenants, (tenant) => ask(model, of(tenant)))
      assert.lengthOf(inner.calls, 4)
    }))

  virtualTest("is closed to every tenant when it cannot be reached, whoever finds out", () =>
    Effect.gen(function*() {
      const { calls, model } = perTenant({ one: [[fails(unreachable)]] })
      const guarded = withCircuitBreakers(model, few)
      yield* Effect.repeatN(ask(guarded, of("one")), 3)
      assert.strictEqual(yield* ask(guarded, of("other")), "ModelUnavailable")
      assert.lengthOf(calls("other"), 0)
    }))

  virtualTest("stays open where two tenants fail and many are well", () =>
    Effect.gen(function*() {
      const { model } = perTenant({ one: [[fails(failed)]], two: [[fails(failed)]] })
      const guarded = withCircuitBreakers(model, few)
      yield* Effect.repeatN(ask(guarded, of("well")), 19)
      for (const tenant of ["one", "two"]) yield* Effect.repeatN(ask(guarded, of(tenant)), 9)
      assert.strictEqual(yield* ask(guarded, of("well")), "Hi")
      assert.strictEqual(yield* ask(guarded, of("one")), "ModelUnavailable")
    }))

  virtualTest(
    "is not closed to every tenant by one that failed often and another that failed once",
    () =>
      Effect.gen(function*() {
        const { model } = perTenant({ one: [[fails(failed)]], two: [[fails(failed)], answers("Fine")] })
        const guarded = withCircuitBreakers(model, few)
        yield* Effect.repeatN(ask(guarded, of("one")), 9)
        yield* ask(guarded, of("two"))
        assert.strictEqual(yield* ask(guarded, of("two")), "Fine")
      })
  )
})

describe("the circuit that tenants share", () => {
  const settings = circuitBreakerSettings({})
  const outcomes = FastCheck.array(
    FastCheck.record({
      tenant: FastCheck.constantFrom("one", "two", "three"),
      outcome: FastCheck.constantFrom<SharedOutcome>("success", "failure", "failure", "ignored")
    }),
    { maxLength: 60 }
  )

  it.prop("opens only where half of what is left without any one tenant has failed", { outcomes }, ({ outcomes }) => {
    const circuit = new SharedCircuit(settings)
    const made: Array<typeof outcomes[number]> = []
    for (const { outcome, tenant } of outcomes) {
      if (circuit.isOpen) break
      circuit.settle(circuit.enter(tenant, 0), tenant, outcome, 0)
      if (outcome !== "ignored") made.push({ outcome, tenant })
    }
    for (const left of circuit.isOpen ? ["one", "two", "three", "nobody"] : []) {
      const others = made.filter(({ tenant }) => tenant !== left)
      const failures = others.filter(({ outcome }) => outcome === "failure").length
      assert.isAtLeast(others.length, settings.minimumCalls / 2, left)
      assert.isAtLeast(failures, others.length * settings.failureThreshold, left)
    }
  })

  it.prop("opens in time where everybody fails", {
    tenants: FastCheck.array(FastCheck.integer({ min: 0, max: 9 }), { minLength: 20, maxLength: 20 })
      .filter((tenants) => new Set(tenants).size > 4)
  }, ({ tenants }) => {
    const circuit = new SharedCircuit(settings)
    for (const tenant of tenants) circuit.settle(circuit.enter(`${tenant}`, 0), `${tenant}`, "failure", 0)
    assert.isTrue(circuit.isOpen)
  })
})

describe("a model that is closed to every tenant", () => {
  virtualTest("is back for all of them as soon as the probe of one goes well", () =>
    Effect.gen(function*() {
      const { model } = yield* openForAll({ one: [answers("Hello")] })
      yield* Effect.sleep("15 seconds")
      assert.strictEqual(yield* ask(model, of("three")), "Hi")
      assert.strictEqual(yield* ask(model, of("one")), "Hello")
    }))

  virtualTest(
    "is probed by two tenants at most, once each, until it is time for the next probes",
    () =>
      Effect.gen(function*() {
        const { calls, model } = yield* openForAll({ three: [[fails(failed)]] })
        const before = ["one", "two", "three"].map((tenant) => calls(tenant).length)
        for (const round of [1, 2]) {
          yield* Effect.sleep("15 seconds")
          for (const tenant of ["one", "one", "two", "two", "three", "one"]) yield* ask(model, of(tenant))
          const made = ["one", "two", "three"].map((tenant, index) => calls(tenant).length - (before[index] ?? 0))
          assert.deepStrictEqual(made, [round, round, 0])
        }
      })
  )

  virtualTest("is probed once where it still cannot be reached", () =>
    Effect.gen(function*() {
      const inner = fakeModel([[fails(unreachable)]])
      const model = withCircuitBreakers(inner, few)
      yield* Effect.repeatN(ask(model, of("one")), 3)
      yield* Effect.sleep("15 seconds")
      for (const tenant of ["one", "two", "three"]) yield* ask(model, of(tenant))
      assert.lengthOf(inner.calls, 5)
    }))

  virtualTest("is probed by another call of a tenant that did not wait for its probe", () =>
    Effect.gen(function*() {
      const { model } = yield* openForAll({ one: [[hangs], answers("Hello")] })
      yield* Effect.sleep("15 seconds")
      const client = yield* Effect.fork(ask(model, of("one")))
      yield* Effect.sleep("1 second")
      yield* Fiber.interrupt(client)
      assert.strictEqual(yield* ask(model, of("one")), "Hello")
    }))

  /** Asks again and again, each time at the first moment at which it may be let in. */
  const greedy = (model: Model, tenant: string): Effect.Effect<never> =>
    Effect.forever(Effect.gen(function*() {
      const fiber = yield* Effect.forkDaemon(read(model, of(tenant)))
      const ended = yield* Effect.timeoutOption(Fiber.join(fiber), "15 seconds")
      const failure = Option.getOrNull(ended)?.failure
      if (failure?._tag === "ModelUnavailable") yield* Effect.sleep(failure.retryAfter ?? 0)
    }))

  it.live.prop(
    "is back for the others within two pauses, whatever one tenant does with its probes",
    {
      scripts: FastCheck.array(
        FastCheck.constantFrom<ReadonlyArray<FakeStep>>(
          [fails(failed)],
          [hangs],
          [waits("20 seconds"), fails(failed)],
          [...says("Half of"), hangs]
        ),
        { maxLength: 5 }
      )
    },
    ({ scripts }) =>
      Effect.gen(function*() {
        const { model } = yield* openForAll({ one: [...scripts, [fails(failed)]] })
        const other = yield* Effect.forkDaemon(greedy(model, "one"))
        const began = yield* Clock.currentTimeMillis
        while ((yield* ask(model, of("well"))) !== "Hi" && (yield* Clock.currentTimeMillis) < began + 60_000) {
          yield* Effect.sleep("500 millis")
        }
        assert.isAtMost((yield* Clock.currentTimeMillis) - began, 30_000)
        yield* Fiber.interrupt(other)
      }).pipe(VirtualClock.run)
  )
})
