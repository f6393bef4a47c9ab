import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { thinned } from "../src/Thinned.js"

const line = FastCheck.array(FastCheck.option(FastCheck.integer({ min: -50, max: 50 })), {
  minLength: 1,
  maxLength: 400
})

describe("a thinned line", () => {
  it.prop("has its ends, its highest and its lowest, in order, and no more than asked for", [line], ([values]) => {
    const places = thinned([values], values.length, 40)
    const numbers = values.filter((value) => value !== null)
    const kept = places.map((place) => values[place] ?? null)
    assert.isAtMost(places.length, 40)
    assert.deepStrictEqual(places, [...new Set(places)].toSorted((one, other) => one - other))
    assert.strictEqual(places[0], 0)
    assert.strictEqual(places.at(-1), values.length - 1)
    if (numbers.length > 0) assert.includeMembers(kept, [Math.max(...numbers), Math.min(...numbers)])
    assert.strictEqual(kept.includes(null), values.includes(null))
  })
})
