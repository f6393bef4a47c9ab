import { assert, describe, it } from "@effect/vitest"
import { CurrentStoreWaitBudget, StoreBusy } from "@trunkline/kernel"
import { Cause, Clock, Deferred, Effect, Exit, Fiber, FiberRef, Option, TestClock } from "effect"
import { cachedLookup } from "../../src/keys/CachedLookup.js"

/** A lookup in a table that counts its calls. */
const table = (rows: Map<string, string>) => {
  let requests = 0
  const lookup = (name: string) =>
    Effect.sync(() => {
      requests += 1
      return Option.fromNullable(rows.get(name))
    })
  return { requests: () => requests, cache: cachedLookup(lookup, (name) => name) }
}

describe("a cached lookup", () => {
  it.effect("uses a result for less than 5 seconds", () =>
    Effect.gen(function*() {
      const rows = new Map([["a", "open"]])
      const { requests, cache } = table(rows)
      assert.deepStrictEqual(yield* cache.get("a"), Option.some("open"))
      rows.set("a", "revoked")
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* cache.get("a"), Option.some("open"))
      assert.strictEqual(requests(), 1)
      yield* TestClock.adjust("1500 millis")
      assert.deepStrictEqual(yield* cache.get("a"), Option.some("revoked"))
    }))

  it.effect("has a fresh result exactly while it would not ask the store", () =>
    Effect.gen(function*() {
      const { requests, cache } = table(new Map([["a", "open"]]))
      const fresh = Effect.map(Clock.currentTimeMillis, (now) => cache.fresh("a", now))
      assert.isUndefined(yield* fresh)
      yield* cache.get("a")
      assert.strictEqual(yield* fresh, "open")
      yield* TestClock.adjust("3999 millis")
      assert.strictEqual(yield* fresh, "open")
      yield* TestClock.adjust("1 millis")
      assert.isUndefined(yield* fresh)
      yield* cache.get("a")
      assert.strictEqual(requests(), 2)
      yield* TestClock.setTime(0)
      assert.isUndefined(yield* fresh)
      yield* cache.get("a")
      yield* cache.invalidate("a")
      assert.isUndefined(yield* fresh)
    }))

  it.effect("does not cache missing results", () =>
    Effect.gen(function*() {
      const rows = new Map<string, string>()
      const { cache } = table(rows)
      assert.deepStrictEqual(yield* cache.get("a"), Option.none())
      rows.set("a", "new")
      assert.deepStrictEqual(yield* cache.get("a"), Option.some("new"))
    }))

  it.effect("is invalidated on request, also during a query", () =>
    Effect.gen(function*() {
      const read = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      let value = "open"
      const cache = cachedLookup((_: string) =>
        Effect.gen(function*() {
          const snapshot = value
          yield* Deferred.succeed(read, undefined)
          yield* Deferred.await(go)
          return Option.some(snapshot)
        }), (name) => name)
      const slow = yield* Effect.fork(cache.get("a"))
      yield* Deferred.await(read)
      value = "revoked"
      yield* cache.invalidate("a")
      yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual(yield* Fiber.join(slow), Option.some("open"))
      assert.deepStrictEqual(yield* cache.get("a"), Option.some("revoked"))
      value = "open again"
      yield* cache.invalidate("a")
      assert.deepStrictEqual(yield* cache.get("a"), Option.some("open again"))
    }))

  it.effect("ignores results from the future after the clock was set back", () =>
    Effect.gen(function*() {
      const rows = new Map([["a", "open"]])
      const { cache } = table(rows)
      yield* TestClock.setTime(60_000)
      yield* cache.get("a")
      rows.set("a", "revoked")
      yield* TestClock.setTime(1_000)
      assert.deepStrictEqual(yield* cache.get("a"), Option.some("revoked"))
    }))

  it.effect("uses a result for a minute while the store is busy, querying it each time without waiting", () =>
    Effect.gen(function*() {
      const waits: Array<number | undefined> = []
      let answer: Effect.Effect<Option.Option<string>> = Effect.succeed(Option.some("open"))
      const cache = cachedLookup(
        (_: string) =>
          Effect.zipRight(
            Effect.map(FiberRef.get(CurrentStoreWaitBudget), (patience) => waits.push(patience?.deadline(0))),
            Effect.suspend(() => answer)
          ),
        (name) => name
      )
      yield* cache.get("a")
      answer = Effect.die(new StoreBusy())
      for (const pause of ["10 seconds", "10 seconds", "39 seconds"] as const) {
        yield* TestClock.adjust(pause)
        assert.deepStrictEqual(yield* cache.get("a"), Option.some("open"))
      }
      assert.deepStrictEqual(waits, [undefined, 0, 0, 0])
      yield* TestClock.adjust("1 second")
      const exit = yield* Effect.exit(cache.get("a"))
      assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreBusy)
      assert.deepStrictEqual(waits.slice(4), [undefined])
    }))

  it.effect("uses no result once the store responds or after an invalidation", () =>
    Effect.gen(function*() {
      let answer: Effect.Effect<Option.Option<string>> = Effect.succeed(Option.some("open"))
      const cache = cachedLookup((_: string) => Effect.suspend(() => answer), (name) => name)
      yield* cache.get("a")
      yield* TestClock.adjust("10 seconds")
      answer = Effect.succeed(Option.some("revoked"))
      assert.deepStrictEqual(yield* cache.get("a"), Option.some("revoked"))
      answer = Effect.die(new StoreBusy())
      yield* cache.invalidate("a")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(cache.get("a"))))
    }))

  it.effect("uses no result that is invalidated while a busy store is queried", () =>
    Effect.gen(function*() {
      const [requestSignal, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const busy = Effect.zipRight(
        Deferred.succeed(requestSignal, undefined),
        Effect.zipRight(Deferred.await(go), Effect.die(new StoreBusy()))
      )
      let answer: Effect.Effect<Option.Option<string>> = Effect.succeed(Option.some("open"))
      const cache = cachedLookup((_: string) => Effect.suspend(() => answer), (name) => name)
      yield* cache.get("a")
      yield* TestClock.adjust("10 seconds")
      answer = busy
      const asking = yield* Effect.fork(Effect.exit(cache.get("a")))
      yield* Deferred.await(requestSignal)
      yield* cache.invalidate("a")
      yield* Deferred.succeed(go, undefined)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(asking)))
    }))

  it.effect("is bounded and evicts the oldest result first", () =>
    Effect.gen(function*() {
      const names = Array.from({ length: 10_001 }, (_, index) => String(index))
      const { requests, cache } = table(new Map(names.map((name) => [name, name])))
      yield* Effect.forEach(names, cache.get, { discard: true })
      yield* cache.get("10000")
      assert.strictEqual(requests(), 10_001)
      yield* cache.get("0")
      assert.strictEqual(requests(), 10_002)
    }))
})
