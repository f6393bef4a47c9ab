import { assert, describe, it } from "@effect/vitest"
import { macroTask } from "@trunkline/kernel"
import { characterErrorRate } from "@trunkline/speech"
import { Effect, FastCheck, Fiber } from "effect"

const some = (minLength: number, maxLength: number) =>
  FastCheck.string({ unit: FastCheck.constantFrom("a", "क", "😀"), minLength, maxLength })

/** The distance by its definition. */
const distance = ([a, ...as]: ReadonlyArray<string>, [b, ...bs]: ReadonlyArray<string>): number => {
  if (a === undefined) return b === undefined ? 0 : 1 + bs.length
  if (b === undefined) return 1 + as.length
  return a === b ? distance(as, bs) : 1 + Math.min(distance(as, bs), distance(as, [b, ...bs]), distance([a, ...as], bs))
}

describe("the character error rate", () => {
  it.effect("counts substitutions, deletions and insertions per expected character", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* characterErrorRate("abcd", "abcd"), 0)
      assert.strictEqual(yield* characterErrorRate("abcd", "abXd"), 1 / 4)
      assert.strictEqual(yield* characterErrorRate("abcd", "acd"), 1 / 4)
      assert.strictEqual(yield* characterErrorRate("abcd", "abcdef"), 2 / 4)
      assert.strictEqual(yield* characterErrorRate("कि😀", "की😀"), 1 / 3)
      assert.strictEqual(yield* characterErrorRate("abcd", ""), 1)
      assert.strictEqual(yield* characterErrorRate("", "a"), 1)
      assert.strictEqual(yield* characterErrorRate("", ""), 0)
      assert.strictEqual(yield* characterErrorRate("ab", "xyz"), 1)
      assert.strictEqual(yield* characterErrorRate("ab", "x".repeat(1_000)), 1)
    }))

  it.prop("is the shortest edit distance, and at most 1", [some(1, 5), some(0, 6)], ([one, other]) => {
    const ways = distance(Array.from(one), Array.from(other))
    assert.strictEqual(Effect.runSync(characterErrorRate(one, other)), Math.min(1, ways / Array.from(one).length))
  })

  it.effect("yields to the event loop while it compares long texts", () =>
    Effect.gen(function*() {
      const long = "அஆஇஈஉஊ".repeat(600)
      let turns = 0
      const others = yield* Effect.fork(Effect.forever(Effect.zipRight(macroTask, Effect.sync(() => turns++))))
      assert.strictEqual(yield* characterErrorRate(long, `${long.slice(36)}${"-".repeat(36)}`), 36 / 3_600)
      assert.isAbove(turns, 50)
      yield* Fiber.interrupt(others)
    }))
})
