import { assert, layer } from "@effect/vitest"
import { Transactions } from "@trunkline/kernel"
import { Effect, type Layer } from "effect"
import { BusinessWatermark } from "./BusinessWatermark.js"

/** The laws of `BusinessWatermark`, from an empty one on. */
export const businessWatermarkLaws = <E>(name: string, live: Layer.Layer<BusinessWatermark | Transactions, E>) =>
  layer(live)(`BusinessWatermark laws: ${name}`, (it) => {
    it.effect("is nothing at first, then the time saved last, be it lower than the one before", () =>
      Effect.gen(function*() {
        const { load, save } = yield* BusinessWatermark
        assert.isNull(yield* load)
        const seen: Array<number | null> = []
        for (const at of [1_767_225_600_000, 1_767_225_599_999, 1_767_225_600_000.5, 0]) {
          yield* save(at)
          seen.push(yield* load)
        }
        assert.deepStrictEqual(seen, [1_767_225_600_000, 1_767_225_599_999, 1_767_225_600_000.5, 0])
      }))

    it.effect("what was saved in a transaction that fails is not kept", () =>
      Effect.gen(function*() {
        const { load, save } = yield* BusinessWatermark
        const { run } = yield* Transactions
        const before = yield* load
        yield* Effect.flip(run(Effect.zipRight(save(8_000_000_000_000), Effect.fail("undone"))))
        assert.strictEqual(yield* load, before)
      }))
  })
