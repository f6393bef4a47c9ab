import { assert, describe, it } from "@effect/vitest"
import { Entropy } from "@trunkline/rate-limits"
import { Effect } from "effect"

describe("Entropy", () => {
  const draw = (seed: string) =>
    Effect.flatMap(Entropy, (entropy) => Effect.all([entropy.bytes(32), entropy.bytes(32)])).pipe(
      Effect.provide(Entropy.layerSeeded(seed))
    )

  it.effect("repeats its bytes for the same seed and never repeats them within a run", () =>
    Effect.gen(function*() {
      const [first, second] = yield* draw("a")
      assert.deepStrictEqual(yield* draw("a"), [first, second])
      assert.notDeepEqual(first, second)
      assert.notDeepEqual(yield* draw("b"), [first, second])
      assert.strictEqual(first.length, 32)
    }))
})
