import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, FastCheck, Fiber } from "effect"
import { makeFairQueue } from "../../src/runners/FairQueue.js"
import { endless, poolWith } from "./Databases.js"

describe("a fair queue", () => {
  it("takes lanes in turn, each in order of arrival, and every item once", () => {
    const lane = FastCheck.constantFrom("a", "b", "c")
    FastCheck.assert(FastCheck.property(FastCheck.array(lane, { maxLength: 30 }), (arrivals) => {
      const queue = makeFairQueue<string>()
      arrivals.forEach((name, index) => queue.add(name, `${name}${index}`))
      assert.strictEqual(queue.size(), arrivals.length)
      const order = arrivals.map(() => queue.take(() => true) ?? "nothing")
      assert.isUndefined(queue.take(() => true))
      assert.sameMembers(order, arrivals.map((name, index) => `${name}${index}`))
      for (const name of ["a", "b", "c"]) {
        const places = order.filter((item) => item.startsWith(name)).map((item) => Number(item.slice(1)))
        assert.deepStrictEqual(places, places.toSorted((one, other) => one - other))
      }
      // Between two of one lane, each other lane that waits has its turn once.
      order.forEach((item, index) => {
        const next = order.findIndex((later, place) => place > index && later.charAt(0) === item.charAt(0))
        const between = order.slice(index + 1, next < 0 ? index + 1 : next).map((other) => other.charAt(0))
        assert.strictEqual(new Set(between).size, between.length)
      })
    }))
  })

  it("keeps lanes that may not run", () => {
    const queue = makeFairQueue<number>()
    queue.add("a", 1)
    queue.add("b", 2)
    assert.strictEqual(queue.take((lane) => lane !== "a"), 2)
    assert.isTrue(queue.remove("a", 1))
    assert.isFalse(queue.remove("a", 1))
    assert.strictEqual(queue.size("a"), 0)
  })
})

describe("a pool", () => {
  it.scopedLive("is never occupied by one lane alone", () =>
    Effect.gen(function*() {
      const { run } = yield* poolWith({ size: 2 })
      const greedy = yield* Effect.forEach([1, 2, 3], () => Effect.fork(run(endless, { lane: "greedy" })))
      yield* Effect.yieldNow()
      assert.deepStrictEqual((yield* run("SELECT 1", { lane: "modest" })).rows, [[1]])
      assert.deepStrictEqual((yield* run("SELECT 2", { lane: "modest" })).rows, [[2]])
      yield* Fiber.interruptAll(greedy)
      assert.deepStrictEqual((yield* run("SELECT 3", { lane: "greedy" })).rows, [[3]])
    }))

  it.scopedLive("rejects more statements than may wait, in one lane and in all", () =>
    Effect.gen(function*() {
      const { run } = yield* poolWith({ size: 1, waiting: 2, waitingPerLane: 1, waitTimeout: Duration.seconds(30) })
      yield* run("SELECT 1")
      const running = yield* Effect.fork(run(endless))
      const waiting = yield* Effect.forEach(["a", "b"], (lane) => Effect.fork(run("SELECT 1", { lane })))
      yield* Effect.yieldNow()
      for (const lane of ["a", "c"]) {
        const failure = yield* Effect.flip(run("SELECT 1", { lane }))
        if (failure._tag !== "RunnersBusy") return assert.fail(failure._tag)
        assert.strictEqual(Duration.toSeconds(failure.retryAfter), 30)
      }
      yield* Fiber.interrupt(running)
      const results = yield* Effect.forEach(waiting, (fiber) => Fiber.join(fiber))
      assert.deepStrictEqual(results.map(({ rows }) => rows), [[[1]], [[1]]])
    }))

  it.scopedLive("rejects a statement that waited too long, and does not run it", () =>
    Effect.gen(function*() {
      const { run } = yield* poolWith({ size: 1, waitTimeout: Duration.millis(50) })
      yield* run("SELECT 1")
      const running = yield* Effect.fork(run(endless))
      yield* Effect.yieldNow()
      assert.strictEqual((yield* Effect.flip(run("SELECT 1")))._tag, "RunnersBusy")
      yield* Fiber.interrupt(running)
    }))

  it.scopedLive("drops a waiting statement that is interrupted, and kills no child for it", () =>
    Effect.gen(function*() {
      const { children, run } = yield* poolWith({ size: 1 })
      yield* run("SELECT 1")
      const running = yield* Effect.fork(run(endless))
      yield* Effect.yieldNow()
      const before = yield* children
      const signal = yield* Deferred.make<void>()
      const waiting = yield* Effect.fork(Effect.onInterrupt(run("SELECT 1"), () => Deferred.succeed(signal, undefined)))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(waiting)
      yield* Deferred.await(signal)
      assert.includeMembers([...(yield* children)], [...before])
      assert.isNull(running.unsafePoll())
      yield* Fiber.interrupt(running)
    }))
})
