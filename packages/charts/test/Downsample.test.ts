import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { downsample } from "../src/ChartOf.js"

const line = FastCheck.array(FastCheck.option(FastCheck.integer({ min: -50, max: 50 })), {
  minLength: 1,
  maxLength: 400
})

describe("downsample", () => {
  it.prop("keeps both ends, the extremes and a gap, in order and within the limit", [line], ([values]) => {
    const places = downsample([values], values.length, 40)
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
