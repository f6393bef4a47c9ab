import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { checkBudget } from "../../src/campaign/CampaignBudget.js"

const issueOf = (budget: Parameters<typeof checkBudget>[0]) =>
  Either.match(Effect.runSync(Effect.either(checkBudget(budget, { currency: "USD", rates: {} }))), {
    onLeft: ({ issues: [{ loc, msg }] }) => `${loc.slice(3).join(".")}: ${msg}`,
    onRight: () => null
  })

describe("the budget of a campaign", () => {
  it.each([
    null,
    { amount: 0.000001, currency: "USD" },
    { amount: 5, currency: "USD", reserve_per_call: 5 },
    { amount: 5, currency: "USD", reserve_per_call: 0 }
  ])("is taken: %j", (budget) => {
    assert.isNull(issueOf(budget))
  })

  it("that pays for no call is refused, with its field", () => {
    assert.strictEqual(
      issueOf({ amount: 5, currency: "INR" }),
      "currency: Must be USD, the currency in which this engine counts costs"
    )
    assert.strictEqual(
      issueOf({ amount: 1e-7, currency: "USD" }),
      "amount: Must be at least 0.000001: costs are counted to a millionth"
    )
    assert.strictEqual(
      issueOf({ amount: 1, currency: "USD", reserve_per_call: 5 }),
      "reserve_per_call: Must be at most the amount, 1: otherwise no call could begin"
    )
  })
})
