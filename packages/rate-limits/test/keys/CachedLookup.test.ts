import { assert, describe, it } from "@effect/vitest"
import { CurrentStoreWaitBudget, StoreBusy } from "@trunkline/kernel"
import { Cause, Clock, Deferred, Effect, Exit, Fiber, FiberRef, Option, TestClock } from "effect"
import { cachedLookup } from "../../src/keys/CachedLookup.js"

/** A lookup in a table that counts its calls. */
const table = (rows: Map<string, string>) => {
  let asked = 0
  const lookup = (name: string) =>
    Effect.sync(() => {
      asked += 1
      return Option.fromNullable(rows.get(name))
    })
  return { asked: () => asked, found: cachedLookup(lookup, (name) => name) }
}

describe("a cached lookup", () => {
  it.effect("uses a result for less than 5 seconds", () =>
    Effect.gen(function*() {
      const rows = new Map([["a", "open"]])
      const { asked, found } = table(rows)
      assert.deepStrictEqual(yield* found.get("a"), Option.some("open"))
      rows.set("a", "revoked")
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* found.get("a"), Option.some("open"))
      assert.strictEqual(asked(), 1)
      yield* TestClock.adjust("1500 millis")
      assert.deepStrictEqual(yield* found.get("a"), Option.some("revoked"))
    }))

  it.effect("has a fresh result exactly while it would not ask the store", () =>
    Effect.gen(function*() {
      const { asked, found } = table(new Map([["a", "open"]]))
      const fresh = Effect.map(Clock.currentTimeMillis, (now) => found.fresh("a", now))
      assert.isUndefined(yield* fresh)
      yield* found.get("a")
      assert.strictEqual(yield* fresh, "open")
      yield* TestClock.adjust("3999 millis")
      assert.strictEqual(yield* fresh, "open")
      yield* TestClock.adjust("1 millis")
      assert.isUndefined(yield* fresh)
      yield* found.get("a")
      assert.strictEqual(asked(), 2)
      yield* TestClock.setTime(0)
      assert.isUndefined(yield* fresh)
      yield* found.get("a")
      yield* found.invalidate("a")
      assert.isUndefined(yield* fresh)
    }))

  it.effect("does not cache missing results", () =>
    Effect.gen(function*() {
      const rows = new Map<string, string>()
      const { found } = table(rows)
      assert.deepStrictEqual(yield* found.get("a"), Option.none())
      rows.set("a", "new")
      assert.deepStrictEqual(yield* found.get("a"), Option.some("new"))
    }))

  it.effect("is invalidated on request, also during a query", () =>
    Effect.gen(function*() {
      const read = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      let value = "open"
      const found = cachedLookup((_: string) =>
        Effect.gen(function*() {
          const seen = value
          yield* Deferred.succeed(read, undefined)
          yield* Deferred.await(go)
          return Option.some(seen)
        }), (name) => name)
      const slow = yield* Effect.fork(found.get("a"))
      yield* Deferred.await(read)
      value = "revoked"
      yield* found.invalidate("a")
      yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual(yield* Fiber.join(slow), Option.some("open"))
      assert.deepStrictEqual(yield* found.get("a"), Option.some("revoked"))
      value = "open again"
      yield* found.invalidate("a")
      assert.deepStrictEqual(yield* found.get("a"), Option.some("open again"))
    }))

  it.effect("ignores results from the future after the clock was set back", () =>
    Effect.gen(function*() {
      const rows = new Map([["a", "open"]])
      const { found } = table(rows)
      yield* TestClock.setTime(60_000)
      yield* found.get("a")
      rows.set("a", "revoked")
      yield* TestClock.setTime(1_000)
      assert.deepStrictEqual(yield* found.get("a"), Option.some("revoked"))
    }))

  it.effect("uses a result for a minute while the store is busy, querying it each time without waiting", () =>
    Effect.gen(function*() {
      const waits: Array<number | undefined> = []
      let answer: Effect.Effect<Option.Option<string>> = Effect.succeed(Option.some("open"))
      const found = cachedLookup(
        (_: string) =>
          Effect.zipRight(
            Effect.map(FiberRef.get(CurrentStoreWaitBudget), (patience) => waits.push(patience?.deadline(0))),
            Effect.suspend(() => answer)
          ),
        (name) => name
      )
      yield* found.get("a")
      answer = Effect.die(new StoreBusy())
      for (const pause of ["10 seconds", "10 seconds", "39 seconds"] as const) {
        yield* TestClock.adjust(pause)
        assert.deepStrictEqual(yield* found.get("a"), Option.some("open"))
      }
      assert.deepStrictEqual(waits, [undefined, 0, 0, 0])
      yield* TestClock.adjust("1 second")
      const exit = yield* Effect.exit(found.get("a"))
      assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreBusy)
      assert.deepStrictEqual(waits.slice(4), [undefined])
    }))

  it.effect("uses no result once the store responds or after an invalidation", () =>
    Effect.gen(function*() {
      let answer: Effect.Effect<Option.Option<string>> = Effect.succeed(Option.some("open"))
      const found = cachedLookup((_: string) => Effect.suspend(() => answer), (name) => name)
      yield* found.get("a")
      yield* TestClock.adjust("10 seconds")
      answer = Effect.succeed(Option.some("revoked"))
      assert.deepStrictEqual(yield* found.get("a"), Option.some("revoked"))
      answer = Effect.die(new StoreBusy())
      yield* found.invalidate("a")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(found.get("a"))))
    }))

  it.effect("uses no result that is invalidated while a busy store is queried", () =>
    Effect.gen(function*() {
      const [asked, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const busy = Effect.zipRight(
        Deferred.succeed(asked, undefined),
        Effect.zipRight(Deferred.await(go), Effect.die(new StoreBusy()))
      )
      let answer: Effect.Effect<Option.Option<string>> = Effect.succeed(Option.some("open"))
      const found = cachedLookup((_: string) => Effect.suspend(() => answer), (name) => name)
      yield* found.get("a")
      yield* TestClock.adjust("10 seconds")
      answer = busy
      const asking = yield* Effect.fork(Effect.exit(found.get("a")))
      yield* Deferred.await(asked)
      yield* found.invalidate("a")
      yield* Deferred.succeed(go, undefined)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(asking)))
    }))

  it.effect("is bounded and evicts the oldest result first", () =>
    Effect.gen(function*() {
      const names = Array.from({ length: 10_001 }, (_, index) => String(index))
      const { asked, found } = table(new Map(names.map((name) => [name, name])))
      yield* Effect.forEach(names, found.get, { discard: true })
      yield* found.get("10000")
      assert.strictEqual(asked(), 10_001)
      yield* found.get("0")
      assert.strictEqual(asked(), 10_002)
    }))
})
