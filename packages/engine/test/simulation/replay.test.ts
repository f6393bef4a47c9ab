import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { checkedSeed } from "./Seeds.js"

describe("a seed", () => {
  it.live("gives the same history, byte for byte, each time", () =>
    Effect.gen(function*() {
      for (const seed of [5, 8, 21]) {
        const { run } = yield* checkedSeed(seed)
        const again = yield* checkedSeed(seed)
        assert.isAbove(run.happenings.length, 50)
        assert.strictEqual(again.run.text, run.text)
      }
    }))

  it.live("differs from another one", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* checkedSeed(5), yield* checkedSeed(6)]
      assert.notStrictEqual(one.run.text, other.run.text)
    }))
})
