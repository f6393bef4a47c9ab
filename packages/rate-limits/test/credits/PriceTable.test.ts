import { assert, describe, it } from "@effect/vitest"
import { microCreditsPerCredit, priceOf, priceTable } from "@trunkline/rate-limits"
import { FastCheck } from "effect"

describe("priceOf", () => {
  const prices = { chat: { input_token: 2, output_token: 5 } }

  it("sums the cost of units; units without a price are free", () => {
    assert.strictEqual(priceOf(prices, { api: "chat", count: { input_token: 10, output_token: 3, second: 8 } }), 35)
    assert.strictEqual(priceOf(prices, { api: "chat", count: {} }), 0)
    assert.strictEqual(priceOf(prices, { api: "weather", count: { request: 1 } }), 0)
  })

  it("rejects negative or fractional counts and prices", () => {
    for (const second of [-1, 0.5, NaN, Infinity, 2 ** 53]) {
      assert.throws(() => priceOf(prices, { api: "chat", count: { second } }), RangeError)
    }
    assert.throws(() => priceOf({ chat: { page: 0.5 } }, { api: "chat", count: { page: 1 } }), RangeError)
    assert.throws(() => priceOf({ chat: { page: 2 ** 52 } }, { api: "chat", count: { page: 2 } }), RangeError)
  })

  it.prop(
    "is additive",
    [FastCheck.nat(), FastCheck.nat()],
    ([input_token, output_token]) =>
      priceOf(priceTable, { api: "chat", count: { input_token, output_token } }) ===
        priceOf(priceTable, { api: "chat", count: { input_token } }) +
          priceOf(priceTable, { api: "chat", count: { output_token } })
  )
})

describe("the price table", () => {
  it("charges voices per character and conversations per token", () => {
    assert.deepStrictEqual(Object.keys(priceTable["voice_cloning"] ?? {}), ["character"])
    for (const api of ["chat", "chat_core", "responses", "responses_core"]) {
      assert.deepStrictEqual(Object.keys(priceTable[api] ?? {}), ["input_token", "output_token"])
    }
  })

  it("has whole prices", () => {
    for (const price of Object.values(priceTable)) {
      assert.isTrue(Object.values(price).every((amount) => Number.isSafeInteger(amount) && amount > 0))
    }
  })

  it("charges three credits per thousand characters in a cloned voice", () => {
    assert.strictEqual(
      priceOf(priceTable, { api: "voice_cloning", count: { character: 1_000 } }),
      3 * microCreditsPerCredit
    )
  })
})
