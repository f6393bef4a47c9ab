import { assert, describe, it } from "@effect/vitest"
import { MemoryTable, Transactions } from "@trunkline/kernel"
import { Deferred, Effect, FastCheck, Fiber } from "effect"

const rolledBack = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const { run } = yield* Transactions
    yield* Effect.exit(run(Effect.zipRight(effect, Effect.fail("roll back"))))
  }).pipe(Effect.provide(Transactions.layerMemory))

const contents = <K, V>(table: MemoryTable<K, V>) => new Map(table.entries())

const step = FastCheck.oneof(
  FastCheck.tuple(FastCheck.constant("set" as const), FastCheck.nat(4), FastCheck.nat()),
  FastCheck.tuple(FastCheck.constant("delete" as const), FastCheck.nat(4), FastCheck.nat()),
  FastCheck.tuple(FastCheck.constant("clear" as const), FastCheck.nat(4), FastCheck.nat())
)

const apply =
  (table: MemoryTable<number, number>) =>
  ([kind, key, value]: typeof step extends FastCheck.Arbitrary<infer S> ? S : never) =>
    kind === "set" ? table.set(key, value) : kind === "delete" ? table.delete(key) : table.clear()

describe("MemoryTable", () => {
  it.effect("reads what was written", () =>
    Effect.gen(function*() {
      const table = MemoryTable.make<string, number>()
      yield* table.set("a", 1)
      yield* table.set("b", 2)
      yield* table.set("a", 3)
      assert.strictEqual(table.get("a"), 3)
      assert.deepStrictEqual([...table.values()], [3, 2])
      assert.strictEqual(table.size, 2)
      assert.isTrue(yield* table.delete("a"))
      assert.isFalse(yield* table.delete("a"))
      assert.isFalse(table.has("a"))
      yield* table.clear()
      assert.strictEqual(table.size, 0)
    }))

  it.effect.prop(
    "restores every row at a rollback",
    [FastCheck.array(step), FastCheck.array(step)],
    ([before, during]) =>
      Effect.gen(function*() {
        const table = MemoryTable.make<number, number>()
        yield* Effect.forEach(before, apply(table))
        const expected = contents(table)
        yield* rolledBack(Effect.forEach(during, apply(table)))
        assert.deepStrictEqual(contents(table), expected)
      })
  )

  it.effect.prop(
    "reports every change, also those of a rollback",
    [FastCheck.array(step), FastCheck.array(step)],
    ([before, during]) =>
      Effect.gen(function*() {
        const copy = new Map<number, number>()
        const table = MemoryTable.make<number, number>((key, row) =>
          row === undefined ? copy.delete(key) : copy.set(key, row)
        )
        yield* Effect.forEach(before, apply(table))
        assert.deepStrictEqual(copy, contents(table))
        yield* rolledBack(Effect.forEach(during, apply(table)))
        assert.deepStrictEqual(copy, contents(table))
      })
  )

  it.effect("includes the writes of child fibers in a transaction", () =>
    Effect.gen(function*() {
      const table = MemoryTable.make<string, number>()
      yield* rolledBack(Effect.flatMap(Effect.fork(table.set("a", 1)), Fiber.join))
      assert.isFalse(table.has("a"))
    }))

  it.effect("does not include the writes of a fiber that outlives its transaction", () =>
    Effect.gen(function*() {
      const table = MemoryTable.make<string, number>()
      const { run } = yield* Transactions
      const go = yield* Deferred.make<void>()
      const late = Effect.zipRight(Deferred.await(go), table.set("late", 1))
      const fiber = yield* run(Effect.forkDaemon(late))
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(fiber)
      assert.strictEqual(table.get("late"), 1)
    }).pipe(Effect.provide(Transactions.layerMemory)))

  it.effect("keeps later writes of others at a rollback", () =>
    Effect.gen(function*() {
      const table = MemoryTable.make<string, number>()
      yield* table.set("a", 1)
      const written = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(
        rolledBack(
          table.set("a", 2).pipe(
            Effect.zipRight(Deferred.succeed(written, undefined)),
            Effect.zipRight(Deferred.await(go))
          )
        )
      )
      yield* Deferred.await(written)
      yield* table.set("a", 3)
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(fiber)
      assert.strictEqual(table.get("a"), 3)
    }))
})
