import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { makeImdct } from "../../src/aac/Imdct.js"

describe("the inverse transform of a power of two", () => {
  it.prop(
    "equals its definition",
    [FastCheck.constantFrom(4, 16, 128), FastCheck.array(FastCheck.double({ min: -1, max: 1, noNaN: true }))],
    ([size, input]) => {
      const values = Float32Array.from({ length: size }, (_, at) => input[at] ?? 0)
      const expected = Array.from(
        { length: 2 * size },
        (_, at) =>
          values.reduce(
            (sum, value, k) => sum + value * Math.cos(Math.PI / size * (at + 1 / 2 + size / 2) * (k + 1 / 2)),
            0
          )
      )
      makeImdct(size)(values).forEach((sample, at) => assert.closeTo(sample, expected[at] ?? 9, 1e-4))
    }
  )
})
