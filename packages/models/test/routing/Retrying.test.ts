import { assert, describe, it } from "@effect/vitest"
import { VirtualClock } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { type Delta, withRetries } from "@trunkline/models"
import { answers, fails, fakeModel, hangs, says, waits } from "@trunkline/models/testing"
import { Channel, Chunk, Clock, Duration, Effect, FastCheck, Fiber, Random, Stream } from "effect"
import { RetryThrottle } from "../../src/routing/Retries.js"
import { failed, limited, overloaded, refused, timedOut, unavailable } from "./Failures.js"
import { ask, hello, read, textOf } from "./Reading.js"

const failures = FastCheck.oneof(
  FastCheck.constantFrom(unavailable, failed, timedOut, refused),
  FastCheck.integer({ min: 0, max: 20_000 }).map((millis) => limited(millis)),
  FastCheck.integer({ min: 0, max: 20_000 }).map((millis) => overloaded(millis))
)

describe("the retries of a call", () => {
  virtualTest("succeed after temporary failures", () =>
    Effect.gen(function*() {
      for (const failure of [unavailable, failed, limited(0)]) {
        const model = fakeModel([[fails(failure)], answers("Hi")])
        assert.strictEqual(yield* ask(withRetries(model)), "Hi")
        assert.strictEqual(textOf(yield* read(withRetries(fakeModel([[fails(failure)], answers("Hi")])))), "Hi")
        assert.strictEqual(model.calls.length, 2)
      }
    }))

  virtualTest("do not repeat rejected requests", () =>
    Effect.gen(function*() {
      const model = fakeModel([[fails(refused)]])
      assert.strictEqual(yield* ask(withRetries(model, { timeouts: true })), "BadRequest")
      assert.strictEqual((yield* read(withRetries(model))).failure, refused)
      assert.strictEqual(model.calls.length, 2)
    }))

  virtualTest("repeat timeouts only if the policy says so", () =>
    Effect.gen(function*() {
      const model = fakeModel([[fails(timedOut)], answers("Hi")])
      assert.strictEqual(yield* ask(withRetries(model)), "ModelTimedOut")
      assert.strictEqual(
        yield* ask(withRetries(fakeModel([[fails(timedOut)], answers("Hi")]), { timeouts: true })),
        "Hi"
      )
    }))

  virtualTest("are at most three, within three seconds", () =>
    Effect.gen(function*() {
      const model = fakeModel([[fails(limited(0))]])
      const { failure } = yield* read(withRetries(model))
      assert.strictEqual(failure?._tag, "ModelRateLimited")
      assert.strictEqual(model.calls.length, 4)
    }))

  virtualTest("wait for the Retry-After of the provider and a pause", () =>
    Effect.gen(function*() {
      for (const failure of [limited("2 seconds"), overloaded("2 seconds")]) {
        const began = yield* Clock.currentTimeMillis
        const model = fakeModel([[fails(failure)], answers("Hi")])
        assert.strictEqual(yield* ask(withRetries(model)), "Hi")
        const again = (model.calls[1]?.at ?? 0) - began
        assert.isAtLeast(again, 2_000)
        assert.isAtMost(again, 2_500)
      }
    }))

  virtualTest(
    "wait for the Retry-After only, if the budget allows no pause",
    () =>
      Effect.gen(function*() {
        const model = fakeModel([[fails(limited("2 seconds"))], answers("Hi")])
        assert.strictEqual(yield* ask(withRetries(model, { budget: "2 seconds" })), "Hi")
        assert.deepStrictEqual(model.calls.map(({ at }) => at), [0, 2_000])
      })
  )

  virtualTest(
    "fail at once if the Retry-After exceeds the budget",
    () =>
      Effect.gen(function*() {
        for (const failure of [limited("6 seconds"), overloaded("6 seconds")]) {
          const began = yield* Clock.currentTimeMillis
          const model = fakeModel([[fails(failure)], answers("Hi")])
          const result = yield* read(withRetries(model))
          assert.deepStrictEqual([result.endedAt - began, model.calls.length], [0, 1])
          assert.strictEqual(result.failure, failure)
        }
        const again = fakeModel([[fails(limited("3 seconds"))]])
        const result = yield* read(withRetries(again))
        assert.lengthOf(again.calls, 2)
        assert.strictEqual(result.endedAt, again.calls[1]?.at, "the second wait does not fit")
      })
  )

  virtualTest(
    "fail at once on a Retry-After if another route follows",
    () =>
      Effect.gen(function*() {
        const request = { ...hello, hasFallback: true }
        for (const failure of [limited(1), overloaded(1)]) {
          const model = fakeModel([[fails(failure)], answers("Hi")])
          assert.strictEqual((yield* read(withRetries(model), request)).failure, failure)
          assert.lengthOf(model.calls, 1)
        }
        assert.strictEqual(yield* ask(withRetries(fakeModel([[fails(failed)], answers("Hi")])), request), "Hi")
      })
  )

  virtualTest("may have a policy for each request", () =>
    Effect.gen(function*() {
      const model = fakeModel([[fails(failed)]])
      const guarded = withRetries(model, ({ hasFallback = false }) => ({ attempts: hasFallback ? 1 : 3 }))
      yield* ask(guarded)
      assert.lengthOf(model.calls, 3)
      yield* ask(guarded, { ...hello, hasFallback: true })
      assert.lengthOf(model.calls, 4)
    }))

  virtualTest("have pauses that double, with jitter of up to half", () =>
    Effect.gen(function*() {
      const model = fakeModel([[fails(unavailable)]])
      const policy = { attempts: 6, initialDelay: "1 second", maxDelay: "5 seconds", budget: "1 minute" } as const
      yield* ask(withRetries(model, policy))
      const pauses = model.calls.slice(1).map(({ at }, index) => at - (model.calls[index]?.at ?? 0))
      for (const [index, most] of [1_000, 2_000, 4_000, 5_000, 5_000].entries()) {
        assert.isAtLeast(pauses[index] ?? 0, most / 2)
        assert.isAtMost(pauses[index] ?? 0, most + 1)
      }
    }))

  virtualTest("are spread over time for concurrent calls", () =>
    Effect.gen(function*() {
      const model = fakeModel([[fails(limited("1 second"))]])
      yield* Effect.replicateEffect(ask(withRetries(model, { attempts: 2 })), 50, { concurrency: "unbounded" })
      const moments = new Set(model.calls.slice(50).map(({ at }) => at))
      assert.isAbove(moments.size, 20)
    }).pipe(Effect.withRandom(Random.make("everybody"))))

  virtualTest("end once a piece was passed: the failure passes through", () =>
    Effect.gen(function*() {
      const model = fakeModel([[...says("One", " two"), fails(failed)], answers("Three")])
      const { chunks, failure } = yield* read(withRetries(model))
      assert.deepStrictEqual([chunks, failure], [[["One"], [" two"]], failed])
      assert.strictEqual(model.calls.length, 1)
    }))

  virtualTest("repeat a stream that ends before its first piece", () =>
    Effect.gen(function*() {
      const model = fakeModel([[], answers("Hi")])
      assert.strictEqual(textOf(yield* read(withRetries(model))), "Hi")
    }))

  virtualTest("repeat a stream that had only empty chunks", () =>
    Effect.gen(function*() {
      const { generate, stream } = fakeModel([[fails(failed)], answers("Hi")])
      const nothing = Stream.fromChannel(Channel.write(Chunk.empty<Delta>()))
      const model = withRetries({ generate, stream: (request) => Stream.concat(nothing, stream(request)) })
      assert.deepStrictEqual((yield* read(model)).chunks.flat(), ["Hi"])
    }))

  virtualTest("do not turn a truncated completion into a whole one", () =>
    Effect.gen(function*() {
      const { chunks, failure } = yield* read(withRetries(fakeModel([says("Half of")])))
      assert.deepStrictEqual([chunks, failure?._tag], [[["Half of"]], "ModelFailed"])
    }))

  virtualTest("have a new budget for each run of a stream", () =>
    Effect.gen(function*() {
      const model = fakeModel([[fails(unavailable)], answers("One"), [fails(unavailable)], answers("Two")])
      const again = withRetries(model, { attempts: 2 })
      assert.strictEqual(textOf(yield* read(again)), "One")
      yield* Effect.sleep("1 hour")
      assert.strictEqual(textOf(yield* read(again)), "Two")
    }))

  virtualTest("make attempts one after the other", () =>
    Effect.gen(function*() {
      const model = fakeModel([[waits("1 second"), fails(failed)], [waits("1 second"), fails(failed)], answers("Hi")])
      yield* read(withRetries(model))
      assert.strictEqual(model.maxConcurrent(), 1)
      assert.deepStrictEqual(model.calls.map(({ closings }) => closings), [1, 1, 1])
    }))

  virtualTest("end when the call is interrupted during a pause", () =>
    Effect.gen(function*() {
      const model = fakeModel([[fails(limited("5 seconds"))], [hangs]])
      const reader = yield* Effect.fork(read(withRetries(model)))
      yield* Effect.sleep("1 second")
      yield* Fiber.interrupt(reader)
      assert.strictEqual(yield* Clock.currentTimeMillis, 1_000)
      yield* Effect.sleep("1 minute")
      assert.strictEqual(model.calls.length, 1)
    }))

  it.live.prop(
    "are never too many, too early or too late, and their stream is one whole completion",
    {
      seed: FastCheck.integer(),
      attempts: FastCheck.integer({ min: 1, max: 6 }),
      budget: FastCheck.integer({ min: 0, max: 30_000 }),
      scripts: FastCheck.array(
        FastCheck.record({
          wait: FastCheck.integer({ min: 0, max: 5_000 }),
          texts: FastCheck.array(FastCheck.string({ minLength: 1 }), { maxLength: 3 }),
          failure: FastCheck.option(failures, { freq: 5 })
        }),
        { minLength: 1, maxLength: 7 }
      )
    },
    ({ attempts, budget, scripts, seed }) =>
      Effect.gen(function*() {
        const model = fakeModel(scripts.map(({ failure, texts, wait }) => [
          waits(wait),
          ...(failure === null ? answers(...texts) : [...says(...texts), fails(failure)])
        ]))
        const { chunks, failure } = yield* read(withRetries(model, { attempts, budget, timeouts: true }))

        assert.isAtMost(model.calls.length, attempts)
        for (const [index, { at, closings }] of model.calls.entries()) {
          assert.isAtMost(at, budget)
          assert.strictEqual(closings, 1)
          const before = scripts[index - 1]
          if (before?.failure && "retryAfter" in before.failure) {
            const ended = (model.calls[index - 1]?.at ?? 0) + before.wait
            assert.isAtLeast(at, ended + Duration.toMillis(before.failure.retryAfter ?? 0))
          }
        }
        const last = scripts[Math.min(model.calls.length, scripts.length) - 1]
        assert.deepStrictEqual(chunks.flat(), last?.texts)
        assert.strictEqual(failure, last?.failure ?? null)
      }).pipe(Effect.withRandom(Random.make(seed)), VirtualClock.run)
  )
})

describe("the retry budget of a tenant", () => {
  const of = (tenant: string) => ({ ...hello, origin: { tenant } })

  virtualTest(
    "limits the retries of its failing requests, and does not affect other tenants",
    () =>
      Effect.gen(function*() {
        const model = fakeModel([[fails(failed)]])
        const guarded = withRetries(model)
        const flood = yield* Effect.fork(
          Effect.replicateEffect(ask(guarded, of("one")), 1_000, { concurrency: "unbounded" })
        )
        yield* Effect.sleep("1 second")
        yield* ask(guarded, of("other"))
        yield* Fiber.join(flood)
        const callsOf = (tenant: string) =>
          model.calls.filter(({ request }) => request.origin?.tenant === tenant).length
        assert.strictEqual(callsOf("other"), 4)
        assert.isAtMost(callsOf("one"), 1_000 + 100 + 200 + 50)
        assert.isAtLeast(callsOf("one"), 1_000 + 100 + 200)
      })
  )

  virtualTest("is refilled over time", () =>
    Effect.gen(function*() {
      const model = fakeModel([[fails(failed)]])
      const guarded = withRetries(model)
      yield* Effect.replicateEffect(ask(guarded), 100, { concurrency: "unbounded" })
      yield* Effect.sleep("10 seconds")
      const before = model.calls.length
      yield* ask(guarded)
      assert.strictEqual(model.calls.length - before, 4)
    }))

  it.prop(
    "never exceeds the saved retries, ten per second, and a fifth of its calls",
    {
      steps: FastCheck.array(
        FastCheck.record({
          pause: FastCheck.integer({ min: 0, max: 3_000 }),
          calls: FastCheck.integer({ min: 0, max: 40 }),
          retries: FastCheck.integer({ min: 0, max: 80 })
        }),
        { maxLength: 30 }
      )
    },
    ({ steps }) => {
      const throttle = new RetryThrottle()
      let [now, calls, retries] = [0, 0, 0]
      for (const step of steps) {
        now += step.pause
        for (let index = 0; index < step.calls; index++) throttle.call("one", now)
        for (let index = 0; index < step.retries; index++) retries += throttle.take("one", now) ? 1 : 0
        calls += step.calls
        assert.isAtMost(retries, 100 + now / 100 + calls / 5 + 1e-6)
        assert.isTrue(throttle.take(`other ${now}`, now))
      }
    }
  )
})
