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
  virtualTest("opens for every tenant when the calls of several fail", () =>
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

  virtualTest("opens for every tenant when each of many has failed once", () =>
    Effect.gen(function*() {
      const tenants = Array.from({ length: 10 }, (_, index) => `${index}`)
      const inner = fakeModel([[fails(failed)]])
      const model = withCircuitBreakers(inner, few)
      yield* Effect.forEach(tenants, (tenant) => ask(model, of(tenant)))
      assert.lengthOf(inner.calls, 4)
    }))

  virtualTest("opens for every tenant when the provider is unreachable", () =>
    Effect.gen(function*() {
      const { calls, model } = perTenant({ one: [[fails(unreachable)]] })
      const guarded = withCircuitBreakers(model, few)
      yield* Effect.repeatN(ask(guarded, of("one")), 3)
      assert.strictEqual(yield* ask(guarded, of("other")), "ModelUnavailable")
      assert.lengthOf(calls("other"), 0)
    }))

  virtualTest("stays closed if two tenants fail and many succeed", () =>
    Effect.gen(function*() {
      const { model } = perTenant({ one: [[fails(failed)]], two: [[fails(failed)]] })
      const guarded = withCircuitBreakers(model, few)
      yield* Effect.repeatN(ask(guarded, of("well")), 19)
      for (const tenant of ["one", "two"]) yield* Effect.repeatN(ask(guarded, of(tenant)), 9)
      assert.strictEqual(yield* ask(guarded, of("well")), "Hi")
      assert.strictEqual(yield* ask(guarded, of("one")), "ModelUnavailable")
    }))

  virtualTest(
    "stays closed if one tenant failed often and another one once",
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

describe("the share of failures in a shared circuit", () => {
  const settings = circuitBreakerSettings({})
  const outcomes = FastCheck.array(
    FastCheck.record({
      tenant: FastCheck.constantFrom("one", "two", "three"),
      outcome: FastCheck.constantFrom<SharedOutcome>("success", "failure", "failure", "ignored")
    }),
    { maxLength: 60 }
  )

  it.prop("counts without the tenant that failed most", { outcomes }, ({ outcomes }) => {
    const circuit = new SharedCircuit(settings)
    const outcomeList: Array<typeof outcomes[number]> = []
    for (const { outcome, tenant } of outcomes) {
      if (circuit.isOpen) break
      circuit.settle(circuit.enter(tenant, 0), tenant, outcome, 0)
      if (outcome !== "ignored") outcomeList.push({ outcome, tenant })
    }
    for (const missingTenant of circuit.isOpen ? ["one", "two", "three", "nobody"] : []) {
      const others = outcomeList.filter(({ tenant }) => tenant !== missingTenant)
      const failures = others.filter(({ outcome }) => outcome === "failure").length
      assert.isAtLeast(others.length, settings.minimumCalls / 2, missingTenant)
      assert.isAtLeast(failures, others.length * settings.failureThreshold, missingTenant)
    }
  })

  it.prop("opens it in time if all tenants fail", {
    tenants: FastCheck.array(FastCheck.integer({ min: 0, max: 9 }), { minLength: 20, maxLength: 20 })
      .filter((tenants) => new Set(tenants).size > 4)
  }, ({ tenants }) => {
    const circuit = new SharedCircuit(settings)
    for (const tenant of tenants) circuit.settle(circuit.enter(`${tenant}`, 0), `${tenant}`, "failure", 0)
    assert.isTrue(circuit.isOpen)
  })
})

describe("an open circuit that tenants share", () => {
  virtualTest("closes for all of them when the probe of one succeeds", () =>
    Effect.gen(function*() {
      const { model } = yield* openForAll({ one: [answers("Hello")] })
      yield* Effect.sleep("15 seconds")
      assert.strictEqual(yield* ask(model, of("three")), "Hi")
      assert.strictEqual(yield* ask(model, of("one")), "Hello")
    }))

  virtualTest(
    "is probed by at most two tenants per pause, once each",
    () =>
      Effect.gen(function*() {
        const { calls, model } = yield* openForAll({ three: [[fails(failed)]] })
        const before = ["one", "two", "three"].map((tenant) => calls(tenant).length)
        for (const round of [1, 2]) {
          yield* Effect.sleep("15 seconds")
          for (const tenant of ["one", "one", "two", "two", "three", "one"]) yield* ask(model, of(tenant))
          const callCounts = ["one", "two", "three"].map((tenant, index) => calls(tenant).length - (before[index] ?? 0))
          assert.deepStrictEqual(callCounts, [round, round, 0])
        }
      })
  )

  virtualTest("is probed once while the provider is unreachable", () =>
    Effect.gen(function*() {
      const inner = fakeModel([[fails(unreachable)]])
      const model = withCircuitBreakers(inner, few)
      yield* Effect.repeatN(ask(model, of("one")), 3)
      yield* Effect.sleep("15 seconds")
      for (const tenant of ["one", "two", "three"]) yield* ask(model, of(tenant))
      assert.lengthOf(inner.calls, 5)
    }))

  virtualTest("is probed by another call of a tenant whose probe was interrupted", () =>
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
    "closes for the others within two pauses, however the probes of one tenant end",
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
