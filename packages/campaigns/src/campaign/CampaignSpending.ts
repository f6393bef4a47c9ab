import { type CampaignId, MemoryTable } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import { type CampaignSpend, noSpend } from "./CampaignBudget.js"

/** The known cost of an ended call of a campaign, in millionths of the reporting currency. */
export interface CampaignCallCost {
  readonly campaign_id: CampaignId
  readonly amount: number
  /** False when a part of the cost is unknown. */
  readonly isComplete: boolean
  /** False for a part of the cost that became known after the end of the call. */
  readonly isCall: boolean
}

/** Costs of the ended calls of campaigns. Every write joins the running transaction. */
export class CampaignSpending extends Context.Tag("@trunkline/campaigns/CampaignSpending")<CampaignSpending, {
  /** Adds the costs of ended calls. */
  readonly addMany: (costs: ReadonlyArray<CampaignCallCost>) => Effect.Effect<void>
  /** The sum for a campaign, also of calls that other processes carried. */
  readonly of: (campaign: CampaignId) => Effect.Effect<CampaignSpend>
}>() {
  /** Adds up in memory. */
  static readonly layerMemory = Layer.sync(CampaignSpending, () => {
    const sums = MemoryTable.make<CampaignId, CampaignSpend>()
    const sumOf = (campaign: CampaignId): CampaignSpend => sums.get(campaign) ?? noSpend
    return CampaignSpending.of({
      addMany: (costs) =>
        Effect.forEach(
          costs,
          (cost) => Effect.suspend(() => sums.set(cost.campaign_id, addCost(sumOf(cost.campaign_id), cost))),
          { discard: true }
        ),
      of: (campaign) => Effect.sync(() => sumOf(campaign))
    })
  })
}

/** A sum with one more cost. */
export const addCost = (sum: CampaignSpend, { amount, isCall, isComplete }: CampaignCallCost): CampaignSpend => ({
  spent: sum.spent + amount,
  largest: isCall ? Math.max(sum.largest, amount) : sum.largest,
  incomplete: sum.incomplete + (isComplete || !isCall ? 0 : 1)
})
