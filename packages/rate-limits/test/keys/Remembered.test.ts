import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option, TestClock } from "effect"
import { remembered } from "../../src/keys/Remembered.js"

/** A lookup in a table that counts how often it is asked. */
const table = (rows: Map<string, string>) => {
  let asked = 0
  const lookup = (name: string) =>
    Effect.sync(() => {
      asked += 1
      return Option.fromNullable(rows.get(name))
    })
  return { asked: () => asked, found: remembered(lookup, (name) => name) }
}

describe("what is remembered of a lookup", () => {
  it.effect("is used for less than 5 seconds, then looked up again", () =>
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

  it.effect("is never that something was missing", () =>
    Effect.gen(function*() {
      const rows = new Map<string, string>()
      const { found } = table(rows)
      assert.deepStrictEqual(yield* found.get("a"), Option.none())
      rows.set("a", "new")
      assert.deepStrictEqual(yield* found.get("a"), Option.some("new"))
    }))

  it.effect("is forgotten when it is told to, also while it is being looked up", () =>
    Effect.gen(function*() {
      const read = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      let value = "open"
      const found = remembered((_: string) =>
        Effect.gen(function*() {
          const seen = value
          yield* Deferred.succeed(read, undefined)
          yield* Deferred.await(go)
          return Option.some(seen)
        }), (name) => name)
      const slow = yield* Effect.fork(found.get("a"))
      yield* Deferred.await(read)
      value = "revoked"
      yield* found.forget("a")
      yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual(yield* Fiber.join(slow), Option.some("open"))
      assert.deepStrictEqual(yield* found.get("a"), Option.some("revoked"))
      value = "open again"
      yield* found.forget("a")
      assert.deepStrictEqual(yield* found.get("a"), Option.some("open again"))
    }))

  it.effect("is not believed when the clock was set back", () =>
    Effect.gen(function*() {
      const rows = new Map([["a", "open"]])
      const { found } = table(rows)
      yield* TestClock.setTime(60_000)
      yield* found.get("a")
      rows.set("a", "revoked")
      yield* TestClock.setTime(1_000)
      assert.deepStrictEqual(yield* found.get("a"), Option.some("revoked"))
    }))

  it.effect("does not grow without end: the oldest goes first", () =>
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
