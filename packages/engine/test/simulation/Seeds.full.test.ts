import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { describeFailure, runSeed } from "./RunSeed.js"
import { Tally } from "./Tally.js"

/** Seeds that together cover every required event, found with `npm run simulate -- --cover`. */
const seeds = [1, 2, 3, 4, 5, 8, 10, 11, 12, 16, 18, 22, 31, 37, 39, 51, 81, 111, 160, 192]

describe("a few seeds", () => {
  it.live("break no rule, and cover every fault point and every kind of outcome", () =>
    Effect.gen(function*() {
      const tally = new Tally()
      for (const seed of seeds) {
        const done = yield* runSeed(seed)
        tally.add(done.run)
        assert.isNull(describeFailure(done))
      }
      assert.isEmpty(tally.missing)
    }))
})
