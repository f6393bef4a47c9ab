const faults: ReadonlyArray<readonly [name: string, price: object, field: string, word: string]> = [
  ["a negative price", { amount: -1, currency: "USD" }, "amount", "at least 0"],
  ["a price without end", { usd: Infinity }, "usd", "at most 1000000"],
  ["a price that is no number", { usd: NaN }, "usd", "at most"],
  ["a price in no currency", { amount: 1, currency: "usd" }, "currency", "three capital letters"],
  ["a price for nothing", { usd: 1, per: 0 }, "per", "at least 0.001"],
  ["a price with increments in words", { usd: 1, service: "carrier", increments: "minute" }, "increments", "60/60"]
]

/** Prices that stop the start, with the field that the error names and a word of it. */
export const wrongPrices = faults.map(([name, price, field, word]) =>
  [
    name,
    { data: ":memory:", prices: [{ service: "model", provider: "x", unit: "input_token", ...price }] },
    `prices.0.${field}`,
    word
  ] as const
)
