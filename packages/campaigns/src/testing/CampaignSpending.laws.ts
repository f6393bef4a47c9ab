import { assert, layer } from "@effect/vitest"
import { type CampaignId, Transactions } from "@trunkline/kernel"
import { Effect, type Layer } from "effect"
import { noSpend } from "../campaign/CampaignBudget.js"
import { CampaignSpending } from "../campaign/CampaignSpending.js"
import type { CampaignStore } from "../campaign/CampaignStore.js"
import type { DispatchStores } from "../store/DispatchStores.js"
import { enrolled } from "./Fixtures.js"

const costOf = (campaign_id: CampaignId, amount: number) => ({ campaign_id, amount, isComplete: true, isCall: true })

/** The laws of `CampaignSpending`. */
export const campaignSpendingLaws = <E>(
  name: string,
  live: Layer.Layer<CampaignStore | DispatchStores | Transactions, E>
) =>
  layer(live)(`CampaignSpending laws: ${name}`, (it) => {
    it.effect("adds up costs by campaign, and keeps the largest of a call and the number of incomplete ones", () =>
      Effect.gen(function*() {
        const spending = yield* CampaignSpending
        const { campaign_id: one } = yield* enrolled("spend-one")
        const { campaign_id: other } = yield* enrolled("spend-other")
        assert.deepStrictEqual(yield* spending.of(one), noSpend)
        yield* spending.addMany([])
        yield* spending.addMany([costOf(one, 1_000_000), costOf(other, 7), costOf(one, 2_500_001)])
        yield* spending.addMany([{ ...costOf(one, 3), isComplete: false }])
        assert.deepStrictEqual(yield* spending.of(one), { spent: 3_500_004, largest: 2_500_001, incomplete: 1 })
        assert.deepStrictEqual(yield* spending.of(other), { spent: 7, largest: 7, incomplete: 0 })
      }))

    it.effect("adds what became known after a call to the sum alone", () =>
      Effect.gen(function*() {
        const spending = yield* CampaignSpending
        const { campaign_id } = yield* enrolled("spend-later")
        yield* spending.addMany([costOf(campaign_id, 10)])
        yield* spending.addMany([{ ...costOf(campaign_id, 90), isCall: false, isComplete: false }])
        assert.deepStrictEqual(yield* spending.of(campaign_id), { spent: 100, largest: 10, incomplete: 0 })
      }))

    it.effect("is rolled back with its transaction", () =>
      Effect.gen(function*() {
        const spending = yield* CampaignSpending
        const transactions = yield* Transactions
        const { campaign_id } = yield* enrolled("spend-rollback")
        yield* Effect.exit(transactions.run(
          Effect.zipRight(spending.addMany([costOf(campaign_id, 5)]), Effect.fail("no"))
        ))
        assert.deepStrictEqual(yield* spending.of(campaign_id), noSpend)
      }))
  })
