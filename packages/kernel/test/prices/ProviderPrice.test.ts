import { assert, describe, it } from "@effect/vitest"
import { billedSeconds, findCarrierPrice, findPrice, type ProviderPrice, ProviderPrices } from "@trunkline/kernel"
import { Effect } from "effect"

const price = (change: Partial<ProviderPrice>): ProviderPrice => ({
  service: "voice",
  provider: "tones",
  model: "*",
  unit: "character",
  amount: 0.05,
  currency: "USD",
  per: 1_000,
  readOn: "2026-11-29",
  page: "https://tones.example/pricing",
  ...change
})

const key = { service: "voice", provider: "tones", model: "small", unit: "character" } as const

describe("a table of prices", () => {
  it("has a price for each model, or one for all models of a provider", () => {
    const table = [price({ model: "large", amount: 0.1 }), price({})]
    assert.strictEqual(findPrice(table, key)?.amount, 0.05)
    assert.strictEqual(findPrice(table, { ...key, model: "large" })?.amount, 0.1)
    assert.isNull(findPrice(table, { ...key, service: "transcriber" }))
    assert.isNull(findPrice(table, { ...key, provider: "others" }))
  })

  it("is overridden by what follows it", () => {
    const table = [price({ model: "small" }), price({ model: "small", amount: 0.01, readOn: null, page: null })]
    assert.strictEqual(findPrice(table, key)?.amount, 0.01)
  })

  it("finds the minute of a call by its line, then by the longest beginning of its number", () => {
    const minute = (change: Partial<ProviderPrice>) =>
      price({ service: "carrier", provider: "sip", unit: "minute", per: 1, ...change })
    const table = [
      minute({ amount: 1 }),
      minute({ amount: 2, prefix: "+91" }),
      minute({ amount: 3, prefix: "+9198" }),
      minute({ amount: 4, connection_id: "own", prefix: "+91" }),
      minute({ amount: 5, connection_id: "own" })
    ]
    const amountOf = (connection_id: string, number: string) =>
      findCarrierPrice(table, { provider: "sip", connection_id, number })?.amount
    assert.strictEqual(amountOf("trunk", "+15551234567"), 1)
    assert.strictEqual(amountOf("trunk", "+917012345678"), 2)
    assert.strictEqual(amountOf("trunk", "+919812345678"), 3)
    assert.strictEqual(amountOf("own", "+919812345678"), 4)
    assert.strictEqual(amountOf("own", "+15551234567"), 5)
    assert.isNull(findCarrierPrice(table, { provider: "twilio", connection_id: "own", number: "+919812345678" }))
  })

  it("bills begun increments, and full minutes unless told otherwise", () => {
    assert.strictEqual(billedSeconds(0), 60)
    assert.strictEqual(billedSeconds(60), 60)
    assert.strictEqual(billedSeconds(60.2), 120)
    assert.strictEqual(billedSeconds(13, { first: 6, next: 6 }), 18)
    assert.strictEqual(billedSeconds(2, { first: 30, next: 6 }), 30)
    assert.strictEqual(billedSeconds(31, { first: 30, next: 6 }), 36)
  })

  it.effect("is empty unless the host provides one", () =>
    Effect.map(ProviderPrices, (table) => assert.deepStrictEqual(table, [])))
})
