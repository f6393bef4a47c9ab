import { assert, describe, it } from "@effect/vitest"
import { VirtualClock } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { withQueue } from "@trunkline/models"
import { answers, fails, type FakeModel, fakeModel, hangs, says, waits } from "@trunkline/models/testing"
import { Duration, Effect, FastCheck, Fiber, Stream } from "effect"
import { failed } from "./Failures.js"
import { ask, hello, read, textOf, ways } from "./Reading.js"

const slow = [waits("1 second"), ...answers("Hi")]
const ten = { concurrency: 10, waiting: 100, timeout: "1 minute" } as const

describe("the queue of a model", () => {
  virtualTest("limits concurrent calls, whole and streamed together", () =>
    Effect.gen(function*() {
      const inner = fakeModel([slow])
      const model = withQueue(inner, ten)
      const both = Effect.all([ask(model), Effect.map(read(model), textOf)], { concurrency: "unbounded" })
      const answers = yield* Effect.replicateEffect(both, 25, { concurrency: "unbounded" })
      assert.deepStrictEqual(new Set(answers.flat()), new Set(["Hi"]))
      assert.strictEqual(inner.maxConcurrent(), 10)
      assert.deepStrictEqual(
        inner.calls.map(({ at }) => at / 1_000),
        inner.calls.map((_, index) => Math.floor(index / 10))
      )
    }))

  virtualTest("admits calls in their order of arrival", () =>
    Effect.gen(function*() {
      const inner = fakeModel([slow])
      const model = withQueue(inner, { ...ten, concurrency: 1 })
      const ids = Array.from({ length: 20 }, (_, index) => `${index}`)
      yield* Effect.forEach(ids, (id) => ask(model, { ...hello, model: id }), { concurrency: "unbounded" })
      assert.deepStrictEqual(inner.calls.map(({ request }) => request.model), ids)
    }))

  virtualTest("does not let new calls overtake waiting ones", () =>
    Effect.gen(function*() {
      const inner = fakeModel([slow])
      const model = withQueue(inner, { ...ten, concurrency: 1 })
      const greedy = yield* Effect.fork(Effect.forever(ask(model, { ...hello, model: "greedy" })))
      yield* Effect.sleep("1 millis")
      yield* Effect.repeatN(ask(model), 3)
      yield* Fiber.interrupt(greedy)
      assert.strictEqual(inner.calls.slice(0, 8).filter(({ request }) => request.model === "greedy").length, 4)
    }))

  virtualTest("rejects calls when it is full, with a retry time", () =>
    Effect.gen(function*() {
      const inner = fakeModel([slow])
      const model = withQueue(inner, { concurrency: 1, waiting: 2, timeout: "5 seconds" })
      const answers = yield* Effect.replicateEffect(ask(model), 5, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers, ["Hi", "Hi", "Hi", "ModelRateLimited", "ModelRateLimited"])
      const none = withQueue(fakeModel([[hangs]]), { concurrency: 1, waiting: 0, timeout: "5 seconds" })
      yield* Effect.fork(read(none))
      yield* Effect.sleep("1 millis")
      const { failure } = yield* read(none)
      assert.isTrue(failure?._tag === "ModelRateLimited" && Duration.equals(failure.retryAfter, "5 seconds"))
    }))

  virtualTest("rejects calls that have waited for the timeout", () =>
    Effect.gen(function*() {
      const inner = fakeModel([[hangs]])
      const model = withQueue(inner, { concurrency: 1, waiting: 2, timeout: "5 seconds" })
      yield* Effect.fork(ask(model))
      yield* Effect.sleep("1 millis")
      const { endedAt, failure } = yield* read(model)
      assert.deepStrictEqual([failure?._tag, endedAt, inner.calls.length], ["ModelRateLimited", 5_001, 1])
    }))

  virtualTest("is left at once by interrupted calls", () =>
    Effect.gen(function*() {
      const inner = fakeModel([slow])
      const model = withQueue(inner, { concurrency: 1, waiting: 1, timeout: "1 minute" })
      const busy = yield* Effect.fork(ask(model))
      yield* Effect.sleep("1 millis")
      for (const asking of ways) {
        const client = yield* Effect.fork(asking(model))
        yield* Effect.sleep("1 millis")
        assert.strictEqual(yield* ask(model), "ModelRateLimited")
        yield* Fiber.interrupt(client)
      }
      assert.strictEqual(yield* ask(model), "Hi")
      yield* Fiber.join(busy)
      assert.strictEqual(inner.calls.length, 2)
    }))

  virtualTest("counts a stream until it has ended, has failed, or is no longer read", () =>
    Effect.gen(function*() {
      const inner = fakeModel([
        [...says("One"), waits("2 seconds"), fails(failed)],
        [...says("One"), hangs],
        answers("Hi")
      ])
      const model = withQueue(inner, { ...ten, concurrency: 1 })
      yield* Effect.fork(read(model))
      yield* Effect.sleep("1 millis")
      yield* Effect.fork(Stream.runDrain(Stream.take(model.stream(hello), 1)))
      yield* Effect.sleep("1 millis")
      assert.strictEqual(yield* ask(model), "Hi")
      assert.deepStrictEqual(inner.calls.map(({ at }) => at), [0, 2_000, 2_000])
      assert.strictEqual(inner.maxConcurrent(), 1)
    }))

  it.live.prop(
    "never exceeds its limit and loses no call and no slot, for any interruptions",
    {
      concurrency: FastCheck.integer({ min: 1, max: 3 }),
      waiting: FastCheck.integer({ min: 0, max: 4 }),
      clients: FastCheck.array(
        FastCheck.record({
          pause: FastCheck.integer({ min: 0, max: 3 }),
          stays: FastCheck.integer({ min: 0, max: 12 }),
          streams: FastCheck.boolean()
        }),
        { maxLength: 25 }
      )
    },
    ({ clients, concurrency, waiting }) =>
      Effect.gen(function*() {
        const inner = fakeModel([[waits("3 millis"), ...answers("Hi")]])
        const model = withQueue(inner, { concurrency, waiting, timeout: "7 millis" })
        const fibers = yield* Effect.forEach(clients, ({ pause, stays, streams }) =>
          Effect.gen(function*() {
            yield* Effect.sleep(pause)
            const asking = streams ? Effect.map(read(model), textOf) : ask(model)
            return yield* Effect.fork(Effect.timeoutOption(asking, stays))
          }))
        yield* Effect.forEach(fibers, Fiber.join)
        assert.isAtMost(inner.maxConcurrent(), concurrency)
        for (const { closings } of inner.calls) assert.strictEqual(closings, 1)
        const after = yield* Effect.replicateEffect(ask(model), concurrency, { concurrency: "unbounded" })
        assert.deepStrictEqual(after, Array.from({ length: concurrency }, () => "Hi"))
      }).pipe(VirtualClock.run)
  )
})

describe("the queue of a model with several tenants", () => {
  const of = (tenant: string) => ({ ...hello, origin: { tenant } })

  const tenantsOf = (inner: FakeModel) => inner.calls.map(({ request }) => request.origin?.tenant)

  virtualTest("keeps a tenth of its slots from each tenant", () =>
    Effect.gen(function*() {
      const inner = fakeModel([slow])
      const model = withQueue(inner, { ...ten, concurrency: 20 })
      const greedy = yield* Effect.fork(
        Effect.replicateEffect(ask(model, of("greedy")), 40, { concurrency: "unbounded" })
      )
      yield* Effect.sleep("1 millis")
      assert.lengthOf(inner.calls, 18)
      assert.strictEqual((yield* read(model, of("other"))).endedAt, 1_001, "it does not wait")
      yield* Fiber.join(greedy)
      assert.deepStrictEqual(inner.calls.slice(19).map(({ at }) => at), [
        ...Array.from({ length: 18 }, () => 1_000),
        ...Array.from({ length: 4 }, () => 2_000)
      ])
    }))

  virtualTest("gives one tenant all slots if so configured, or if calls name no tenant", () =>
    Effect.gen(function*() {
      for (const request of [of("greedy"), hello]) {
        const inner = fakeModel([slow])
        const model = withQueue(inner, { ...ten, ...request === hello ? {} : { perTenant: 10 } })
        yield* Effect.replicateEffect(ask(model, request), 10, { concurrency: "unbounded" })
        assert.strictEqual(inner.maxConcurrent(), 10)
      }
    }))

  virtualTest(
    "admits the tenant with the fewest slots first, and takes turns on ties",
    () =>
      Effect.gen(function*() {
        const inner = fakeModel([slow])
        const model = withQueue(inner, { ...ten, concurrency: 2, perTenant: 2 })
        for (const tenant of ["greedy", "greedy", "greedy", "greedy", "greedy", "one", "two", "one"]) {
          yield* Effect.fork(ask(model, of(tenant)))
          yield* Effect.yieldNow()
        }
        yield* Effect.sleep("1 minute")
        assert.deepStrictEqual(tenantsOf(inner), [
          "greedy",
          "greedy",
          "one",
          "greedy",
          "two",
          "one",
          "greedy",
          "greedy"
        ])
      })
  )

  virtualTest(
    "rejects the newest calls of the tenant that fills it, not those of others",
    () =>
      Effect.gen(function*() {
        const inner = fakeModel([slow])
        const model = withQueue(inner, { concurrency: 1, waiting: 3, timeout: "1 minute" })
        const fibers = yield* Effect.forEach(["first", "second", "third", "last"], (text) =>
          Effect.zipLeft(
            Effect.fork(ask(model, { ...of("greedy"), messages: [{ role: "user", content: text }] })),
            Effect.yieldNow()
          ))
        const other = yield* Effect.fork(ask(model, of("other")))
        assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), ["Hi", "Hi", "Hi", "ModelRateLimited"])
        assert.strictEqual(yield* Fiber.join(other), "Hi")
        assert.deepStrictEqual(tenantsOf(inner), ["greedy", "greedy", "other", "greedy"])
      })
  )

  virtualTest(
    "rejects calls that would wait too long, but not in favour of a tenant with as many",
    () =>
      Effect.gen(function*() {
        const model = withQueue(fakeModel([slow]), { concurrency: 1, waiting: 1, timeout: "1 minute" })
        const fibers = yield* Effect.forEach(
          ["one", "two", "three"],
          (tenant) => Effect.zipLeft(Effect.fork(ask(model, of(tenant))), Effect.yieldNow())
        )
        assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), ["Hi", "Hi", "ModelRateLimited"])
      })
  )

  it.live.prop(
    "never exceeds its limit, loses no call and no slot, and always admits a tenant with one call at a time",
    {
      concurrency: FastCheck.integer({ min: 1, max: 12 }),
      waiting: FastCheck.integer({ min: 1, max: 6 }),
      clients: FastCheck.array(
        FastCheck.record({
          tenant: FastCheck.constantFrom("greedy", "greedy", "greedy", "busy"),
          pause: FastCheck.integer({ min: 0, max: 3 }),
          stays: FastCheck.integer({ min: 0, max: 40 })
        }),
        { maxLength: 40 }
      )
    },
    ({ clients, concurrency, waiting }) =>
      Effect.gen(function*() {
        const inner = fakeModel([[waits("3 millis"), ...answers("Hi")]])
        const model = withQueue(inner, { concurrency, waiting: waiting + 1, timeout: "1 minute" })
        const modest = yield* Effect.fork(Effect.replicateEffect(ask(model, of("modest")), 10))
        const fibers = yield* Effect.forEach(clients, ({ pause, stays, tenant }) =>
          Effect.zipRight(
            Effect.sleep(pause),
            Effect.fork(Effect.timeoutOption(ask(model, of(tenant)), stays))
          ))
        assert.deepStrictEqual(new Set(yield* Fiber.join(modest)), new Set(["Hi"]))
        yield* Effect.forEach(fibers, Fiber.join)
        assert.isAtMost(inner.maxConcurrent(), concurrency)
        for (const { closings } of inner.calls) assert.strictEqual(closings, 1)
        const after = yield* Effect.replicateEffect(ask(model), concurrency, { concurrency: "unbounded" })
        assert.deepStrictEqual(after, Array.from({ length: concurrency }, () => "Hi"))
      }).pipe(VirtualClock.run)
  )
})
