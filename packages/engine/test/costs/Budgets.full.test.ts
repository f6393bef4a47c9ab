import { assert, describe } from "@effect/vitest"
import { BusinessTime, type CampaignId, ProviderPrices, type ProviderPriceTable } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect, Layer } from "effect"
import { Engine } from "../../src/index.js"
import { agents, campaignBody, connections, mondayMorning, over, scope, upload } from "../Fixtures.js"

const csv = ["id,name,mobile", ...Array.from({ length: 8 }, (_, index) => `${index},Asha,987654320${index}`)].join("\n")

/** A dollar for each begun minute of a call. */
const prices: ProviderPriceTable = [{
  service: "carrier",
  provider: "simulator",
  model: "*",
  unit: "minute",
  amount: 1,
  currency: "USD",
  per: 1,
  readOn: null,
  page: null
}]

const engine = Layer.provide(Engine.layerMemory({ agents, connections }), Layer.succeed(ProviderPrices, prices))

const until = (id: CampaignId, status: string): Effect.Effect<void, never, Engine> =>
  Effect.gen(function*() {
    const campaign = yield* Effect.orDie((yield* Engine).campaigns.get(scope, id))
    if (campaign.status === status) return
    yield* BusinessTime.sleep("1 minute")
    yield* until(id, status)
  })

const budgetOf = (amount: number) => ({ amount, currency: "USD", reserve_per_call: 1 })

const begun = (budget: object) =>
  Effect.gen(function*() {
    const { campaigns } = yield* Engine
    const { campaign_id } = yield* campaigns.create(scope, campaignBody({ budget }), "demo")
    yield* upload({ kind: "campaign", id: campaign_id }, csv)
    return campaign_id
  })

describe("the budget of a campaign", () => {
  virtualTest("pauses it before it is exceeded, and holds it until it is raised", () =>
    Effect.gen(function*() {
      const { campaigns, progress } = yield* Engine
      const campaign_id = yield* begun(budgetOf(3.5))
      yield* until(campaign_id, "paused")
      const paused = yield* progress.of(scope, campaign_id)
      assert.deepInclude(paused, { hold: "budget_reached", attempts: 3 })
      assert.deepStrictEqual(paused.spend, { currency: "USD", amount_micros: 3_000_000, incomplete_calls: 0 })
      assert.deepStrictEqual(paused.budget, { amount_micros: 3_500_000, reserved_micros: 0, remaining_micros: 500_000 })
      assert.match(paused.explanation ?? "", /^USD 3\.00 of the budget of USD 3\.50 is spent, .* raise the budget/)

      const refused = yield* Effect.flip(campaigns.act(scope, campaign_id, "resume", "demo"))
      assert.include(refused.message, "raise the budget")
      yield* BusinessTime.sleep("1 hour")
      assert.strictEqual((yield* progress.of(scope, campaign_id)).attempts, 3)

      const { app_config } = campaignBody({ budget: budgetOf(8) })
      yield* campaigns.patch(scope, campaign_id, { app_config }, "demo")
      yield* campaigns.act(scope, campaign_id, "resume", "demo")
      yield* over(campaign_id)
      assert.deepInclude(yield* progress.of(scope, campaign_id), { attempts: 8, hold: "campaign_ended" })
    }).pipe(Effect.provide(engine)), { start: mondayMorning })

  virtualTest("is refused in another currency than costs are counted in", () =>
    Effect.gen(function*() {
      const { campaigns } = yield* Engine
      const body = campaignBody({ budget: { amount: 100, currency: "INR" } })
      const refused = yield* Effect.flip(campaigns.create(scope, body, "demo"))
      assert.include(JSON.stringify(refused), "Must be USD")
    }).pipe(Effect.provide(engine)), { start: mondayMorning })

  virtualTest("is counted from the ledgers of its calls, which boards show too", () =>
    Effect.gen(function*() {
      const { facts, runs } = yield* Engine
      const campaign_id = yield* begun(budgetOf(100))
      yield* over(campaign_id)
      yield* facts.catchUp(scope)
      const sql = `SELECT count(*), sum(cost_amount), min(cost_complete), min(cost_currency)
        FROM EngagementFactsBoardsView`
      assert.deepStrictEqual((yield* runs.preview(scope, { sql })).rows, [[8, 8, 1, "USD"]])
    }).pipe(Effect.provide(engine)), { start: mondayMorning })
})
