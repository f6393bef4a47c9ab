import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { describeFailure, runSeed } from "./RunSeed.js"

describe("a seed", () => {
  it.live("breaks no rule, and reproduces the same history byte for byte", () =>
    Effect.gen(function*() {
      for (const seed of [5, 8, 21]) {
        const done = yield* runSeed(seed)
        assert.isNull(describeFailure(done))
        const { run } = done
        const again = yield* runSeed(seed)
        assert.isAbove(run.events.length, 50)
        assert.strictEqual(again.run.text, run.text)
      }
    }))

  it.live("differs from other seeds", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* runSeed(5), yield* runSeed(6)]
      assert.notStrictEqual(one.run.text, other.run.text)
    }))
})
