import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { downsample } from "../src/Columns.js"

const line = FastCheck.array(FastCheck.option(FastCheck.integer({ min: -50, max: 50 })), {
  minLength: 1,
  maxLength: 400
})

describe("downsample", () => {
  it.prop("keeps both ends, the extremes and a gap, in order and within the limit", [line], ([values]) => {
    const indices = downsample([values], values.length, 40)
    const numbers = values.filter((value) => value !== null)
    const points = indices.map((index) => values[index] ?? null)
    assert.isAtMost(indices.length, 40)
    assert.deepStrictEqual(indices, [...new Set(indices)].toSorted((one, other) => one - other))
    assert.strictEqual(indices[0], 0)
    assert.strictEqual(indices.at(-1), values.length - 1)
    if (numbers.length > 0) assert.includeMembers(points, [Math.max(...numbers), Math.min(...numbers)])
    assert.strictEqual(points.includes(null), values.includes(null))
  })
})
