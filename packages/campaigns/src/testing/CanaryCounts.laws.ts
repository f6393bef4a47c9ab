import { assert, layer } from "@effect/vitest"
import { type CampaignId, Transactions } from "@trunkline/kernel"
import { Effect, type Layer } from "effect"
import type { CampaignStore } from "../campaign/CampaignStore.js"
import { CanaryCounts, type MeasuredCall } from "../canary/CanaryCounts.js"
import { noFigures } from "../canary/Evidence.js"
import type { DispatchStores } from "../store/DispatchStores.js"
import { enrolled } from "./Fixtures.js"

const call = (campaign_id: CampaignId, change: Partial<MeasuredCall> = {}): MeasuredCall => ({
  campaign_id,
  number: 1,
  arm: "control",
  isSuccess: true,
  ...change
})

/** The laws of `CanaryCounts`. */
export const canaryCountsLaws = <E>(
  name: string,
  live: Layer.Layer<CampaignStore | DispatchStores | Transactions, E>
) =>
  layer(live)(`CanaryCounts laws: ${name}`, (it) => {
    it.effect("counts conversations and successes by campaign, canary and arm", () =>
      Effect.gen(function*() {
        const counts = yield* CanaryCounts
        const { campaign_id: one } = yield* enrolled("canary-one")
        const { campaign_id: other } = yield* enrolled("canary-other")
        assert.deepStrictEqual(yield* counts.of(one, 1), noFigures)
        yield* counts.addMany([])
        yield* counts.addMany([call(one), call(other), call(one, { arm: "canary", isSuccess: false }), call(one)])
        yield* counts.addMany([call(one, { isSuccess: false }), call(one, { number: 2, arm: "canary" })])
        assert.deepStrictEqual(yield* counts.of(one, 1), {
          control: { conversations: 3, successes: 2 },
          canary: { conversations: 1, successes: 0 }
        })
        assert.deepStrictEqual(yield* counts.of(one, 2), {
          ...noFigures,
          canary: { conversations: 1, successes: 1 }
        })
        assert.deepStrictEqual((yield* counts.of(other, 1)).control, { conversations: 1, successes: 1 })
      }))

    it.effect("counts each of many calls that end at the same time", () =>
      Effect.gen(function*() {
        const counts = yield* CanaryCounts
        const transactions = yield* Transactions
        const { campaign_id } = yield* enrolled("canary-many")
        yield* Effect.forEach(
          Array.from({ length: 40 }, (_, index) => index),
          (index) =>
            transactions.runGuarded(counts.addMany([
              call(campaign_id, { arm: index % 4 === 0 ? "canary" : "control", isSuccess: index % 2 === 0 })
            ])),
          { concurrency: 8, discard: true }
        )
        assert.deepStrictEqual(yield* counts.of(campaign_id, 1), {
          control: { conversations: 30, successes: 10 },
          canary: { conversations: 10, successes: 10 }
        })
      }))

    it.effect("is rolled back with its transaction", () =>
      Effect.gen(function*() {
        const counts = yield* CanaryCounts
        const transactions = yield* Transactions
        const { campaign_id } = yield* enrolled("canary-rollback")
        yield* Effect.exit(transactions.run(Effect.zipRight(counts.addMany([call(campaign_id)]), Effect.fail("no"))))
        assert.deepStrictEqual(yield* counts.of(campaign_id, 1), noFigures)
      }))
  })
