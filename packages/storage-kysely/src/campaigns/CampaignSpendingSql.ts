import { addCost, type CampaignCallCost, type CampaignSpend, CampaignSpending, noSpend } from "@trunkline/campaigns"
import { type CampaignId, Processes } from "@trunkline/kernel"
import { Effect, Layer } from "effect"
import { insertRows } from "../fast/ManyRows.js"
import { Sql } from "../sql/Sql.js"

/** The sums of some costs by campaign, in the order in which transactions change them, so that none waits in a circle. */
const sumsOf = (costs: ReadonlyArray<CampaignCallCost>): ReadonlyArray<readonly [CampaignId, CampaignSpend]> => {
  const sums = new Map<CampaignId, CampaignSpend>()
  for (const cost of costs) sums.set(cost.campaign_id, addCost(sums.get(cost.campaign_id) ?? noSpend, cost))
  return [...sums].sort(([one], [other]) => one < other ? -1 : 1)
}

const sumOfProcesses = `
  select
    cast(coalesce(sum(spent), 0) as bigint) as spent,
    cast(coalesce(max(largest), 0) as bigint) as largest,
    cast(coalesce(sum(incomplete), 0) as bigint) as incomplete
  from campaign_spending where campaign_id = ?
`

/** `CampaignSpending` in SQL: each process adds to rows of its own, so that none waits for another. */
export const CampaignSpendingSql = {
  layer: Layer.effect(
    CampaignSpending,
    Effect.gen(function*() {
      const { dialect, execute, statements } = yield* Sql
      const { id } = yield* Processes
      const process = id ?? 0
      const add = insertRows(dialect, "campaign_spending", {
        columns: {
          campaign_id: "text",
          process_id: "integer",
          spent: "integer",
          largest: "integer",
          incomplete: "integer"
        },
        end: `
          on conflict (campaign_id, process_id) do update set
            spent = campaign_spending.spent + excluded.spent,
            largest = case
              when excluded.largest > campaign_spending.largest then excluded.largest else campaign_spending.largest
            end,
            incomplete = campaign_spending.incomplete + excluded.incomplete
        `
      })
      return CampaignSpending.of({
        addMany: (costs) =>
          costs.length === 0 ?
            Effect.void :
            Effect.asVoid(statements(() =>
              add(
                sumsOf(costs).map(([campaign, { incomplete, largest, spent }]) => [
                  campaign,
                  process,
                  spent,
                  largest,
                  incomplete
                ])
              )
            )),
        of: (campaign) =>
          Effect.map(execute<CampaignSpend>(sumOfProcesses, [campaign]), ({ rows: [sum = noSpend] }) => sum)
      })
    })
  )
}
