import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isFullSize } from "../../../../test/setup/Scale.js"
import { type CanaryCampaign, runCanary } from "./CanaryCampaign.js"

const seeds = Array.from({ length: isFullSize ? 100 : 8 }, (_, index) => index + 1)

/** Seeds of which the canary of a campaign stopped itself. */
const stopped = (campaign: Pick<CanaryCampaign, "done">) =>
  Effect.map(
    Effect.forEach(seeds, (seed) =>
      runCanary({
        seed,
        contacts: 300,
        canary: { app_version: 2, percent: 25 },
        config: { attempts_per_second: 2 },
        ...campaign
      })),
    (runs) => runs.filter(({ canary }) => canary?.end_reason === "worse").length
  )

describe("campaigns of a hundred seeds, or of eight at the usual size", () => {
  it.live("stop every canary with a planted fault", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* stopped({ done: (version) => version === 2 ? 0.15 : 0.75 }), seeds.length)
    }))

  it.live("let at least 99 of 100 canaries without one run through", () =>
    Effect.gen(function*() {
      assert.isAtMost(yield* stopped({ done: () => 0.75 }), 1)
    }))
})
