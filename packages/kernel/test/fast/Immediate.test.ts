import { assert, describe, it } from "@effect/vitest"
import { bracketNow, flatMapNow, mapNow, valueNow } from "@trunkline/kernel"
import { Cause, Effect, Either, Exit, Fiber } from "effect"

const results: ReadonlyArray<Effect.Effect<number, string>> = [
  Effect.succeed(2),
  Either.right(2),
  Effect.fail("refused"),
  Either.left("refused"),
  Effect.die("broken"),
  Effect.sync(() => 2),
  Effect.zipRight(Effect.yieldNow(), Effect.fail("refused"))
]

describe("continuations", () => {
  it.effect("have the outcome of flatMap and map, whether there is a result already or not", () =>
    Effect.forEach(results, (effect) =>
      Effect.gen(function*() {
        const next = (value: number) => value > 1 ? Effect.succeed(value + 1) : Effect.fail("small")
        assert.deepStrictEqual(
          yield* Effect.exit(flatMapNow(effect, next)),
          yield* Effect.exit(Effect.flatMap(effect, next))
        )
        const twice = (value: number) => value * 2
        assert.deepStrictEqual(
          yield* Effect.exit(mapNow(effect, twice)),
          yield* Effect.exit(Effect.map(effect, twice))
        )
      })))

  it("run at once where there is a result", () => {
    assert.isTrue(Exit.isExit(flatMapNow(Effect.succeed(1), Effect.succeed)))
    assert.isTrue(Exit.isExit(mapNow(Either.right(1), (value) => value + 1)))
    assert.isFalse(Exit.isExit(mapNow(Effect.sync(() => 1), (value) => value + 1)))
  })

  it("find the value that an effect has", () => {
    assert.strictEqual(valueNow(Effect.succeed(3)), 3)
    assert.strictEqual(valueNow(Either.right(3)), 3)
    assert.isUndefined(valueNow(Effect.sync(() => 3)))
  })
})

describe("work between a beginning and an end", () => {
  const observed = <A, E>(work: () => Effect.Effect<A, E>) => {
    const ends: Array<Exit.Exit<A, E>> = []
    return { ends, effect: bracketNow(() => ({ work, end: (exit) => void ends.push(exit) })) }
  }

  it.effect("keeps its exit, with which the end is called once", () =>
    Effect.forEach(results, (effect) =>
      Effect.gen(function*() {
        const { effect: bracketed, ends } = observed(() => effect)
        const exit = yield* Effect.exit(bracketed)
        assert.deepStrictEqual(exit, yield* Effect.exit(effect))
        assert.deepStrictEqual(ends, [exit])
      })))

  it.effect("ends when the work throws, and when it is interrupted", () =>
    Effect.gen(function*() {
      const thrown = observed(() => {
        throw new Error("broken")
      })
      yield* Effect.exit(thrown.effect)
      assert.strictEqual(thrown.ends.length, 1)
      const endless = observed(() => Effect.never)
      const fiber = yield* Effect.fork(endless.effect)
      yield* Effect.yieldNow()
      assert.strictEqual(endless.ends.length, 0)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(endless.ends.every((exit) => Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)))
      assert.strictEqual(endless.ends.length, 1)
    }))
})
