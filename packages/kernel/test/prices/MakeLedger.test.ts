import { assert, describe, it } from "@effect/vitest"
import {
  addToLedger,
  makeLedger,
  makeUsageMeter,
  type ProviderPrice,
  type ProviderPriceTable,
  type ServiceUsage
} from "@trunkline/kernel"

const price = (
  service: ProviderPrice["service"],
  unit: ProviderPrice["unit"],
  amount: number | null,
  change: Partial<ProviderPrice> = {}
): ProviderPrice => ({
  service,
  provider: "acme",
  model: "*",
  unit,
  amount,
  currency: "USD",
  per: 1,
  readOn: null,
  page: null,
  ...change
})

const table: ProviderPriceTable = [
  price("model", "input_token", 2, { per: 1_000_000 }),
  price("model", "output_token", 8, { per: 1_000_000 }),
  price("voice", "character", 0.05, { per: 1_000 }),
  price("transcriber", "minute", 0.006),
  price("carrier", "minute", 0.9, { currency: "INR", increments: { first: 60, next: 60 }, setup: 0.1 })
]

const dollars = { currency: "USD", rates: {} }
const used = (
  service: ServiceUsage["service"],
  unit: ServiceUsage["unit"],
  quantity: number
): ServiceUsage => ({ service, provider: "acme", model: "m", unit, quantity })
const carrierUse = { provider: "acme", connection_id: "line", number: "+919812345678", seconds: 61 }

describe("the ledger of a call", () => {
  it("has a line with quantity, price and amount for each kind of usage, and an exact sum", () => {
    const usage = [
      used("model", "input_token", 1_500),
      used("model", "output_token", 125),
      used("voice", "character", 240),
      used("voice", "second", 18.4),
      used("transcriber", "second", 42.5)
    ]
    const { amount_micros, complete, lines, totals } = makeLedger(table, dollars, { usage, carrierUse: null })
    assert.deepStrictEqual(
      lines.map((
        { amount_micros, per, quantity, unit, unit_price }
      ) => [unit, quantity, unit_price, per, amount_micros]),
      [
        ["input_token", 1_500, 2, 1_000_000, 3_000],
        ["output_token", 125, 8, 1_000_000, 1_000],
        ["character", 240, 0.05, 1_000, 12_000],
        ["second", 42.5, 0.006, 60, 4_250]
      ]
    )
    assert.strictEqual(amount_micros, 20_250)
    assert.isTrue(complete)
    assert.deepStrictEqual(totals, [{ currency: "USD", amount_micros: 20_250 }])
  })

  it("bills the increments and the set-up of a carrier, in a currency that stays apart without a rate", () => {
    const { amount_micros, complete, lines, totals } = makeLedger(table, dollars, { usage: [], carrierUse })
    assert.deepStrictEqual(
      lines.map((
        { amount_micros, currency, model, quantity, unit }
      ) => [model, unit, quantity, currency, amount_micros]),
      [["line", "second", 120, "INR", 1_800_000], ["line", "call", 1, "INR", 100_000]]
    )
    assert.deepStrictEqual(totals, [{ currency: "INR", amount_micros: 1_900_000 }])
    assert.isNull(amount_micros)
    assert.isFalse(complete)
    const rated = makeLedger(table, { currency: "USD", rates: { INR: 0.01 } }, { usage: [], carrierUse })
    assert.deepStrictEqual([rated.amount_micros, rated.complete], [19_000, true])
  })

  it("counts an unknown price as null and never as nothing", () => {
    const usage = [used("model", "input_token", 1_000_000), used("model", "cached_input_token", 10)]
    const { amount_micros, complete, lines } = makeLedger(table, dollars, { usage, carrierUse: null })
    assert.isNull(lines[1]?.amount_micros)
    assert.strictEqual(amount_micros, 2_000_000)
    assert.isFalse(complete)
    const alone = makeLedger([], dollars, { usage, carrierUse })
    assert.deepStrictEqual([alone.amount_micros, alone.complete], [null, false])
    const nothing = makeLedger([], dollars, { usage: [], carrierUse: null })
    assert.deepStrictEqual([nothing.amount_micros, nothing.complete], [0, true])
  })

  it("charges a voice by its seconds where only those have a price, and by its characters where none has one", () => {
    const usage = [used("voice", "character", 100), used("voice", "second", 30)]
    const bySeconds = makeLedger([price("voice", "minute", 0.06)], dollars, { usage, carrierUse: null })
    assert.deepStrictEqual(bySeconds.lines.map(({ amount_micros, unit }) => [unit, amount_micros]), [[
      "second",
      30_000
    ]])
    const unknown = makeLedger([], dollars, { usage, carrierUse: null })
    assert.deepStrictEqual(unknown.lines.map(({ amount_micros, unit }) => [unit, amount_micros]), [["character", null]])
  })

  it("takes further lines, and stays incomplete where its beginning is not known", () => {
    const before = makeLedger(table, dollars, { usage: [used("model", "input_token", 500_000)], carrierUse: null })
    const usage = [used("model", "output_token", 1_000)]
    const after = addToLedger(table, dollars, { before, usage })
    assert.deepStrictEqual([after.lines.length, after.amount_micros, after.complete], [2, 1_008_000, true])
    const partial = makeLedger(table, dollars, { usage: [], carrierUse: null, isPartial: true })
    assert.isFalse(addToLedger(table, dollars, { before: partial, usage }).complete)
    assert.isFalse(addToLedger(table, dollars, { before: null, usage }).complete)
  })
})

describe("a meter of usage", () => {
  it("adds up each kind, apart from what was estimated", () => {
    const meter = makeUsageMeter()
    meter.note(used("model", "input_token", 5))
    meter.note(used("model", "input_token", 7))
    meter.note({ ...used("model", "input_token", 3), estimated: true })
    meter.note(used("model", "cached_input_token", 0))
    assert.deepStrictEqual(meter.all().map(({ estimated = false, quantity }) => [quantity, estimated]), [
      [12, false],
      [3, true]
    ])
  })
})
