import { describe, expect, it } from "vitest"
import { makeNonceCounts } from "../../../src/signalling/digest/NonceCounts.js"

describe("counts of nonces", () => {
  it("go up for each nonce", () => {
    const counts = makeNonceCounts(10)
    expect([1, 1, 3, 2, 4].map((count) => counts.use("a", 1_000, count))).toEqual([true, false, true, false, true])
    expect(counts.use("b", 1_000, 1)).toBe(true)
  })

  it("are limited, and what was forgotten cannot be used again", () => {
    const counts = makeNonceCounts(2)
    for (const [index, nonce] of ["a", "b", "c"].entries()) expect(counts.use(nonce, index, 1)).toBe(true)
    expect(counts.use("a", 0, 2)).toBe(false)
    expect(counts.use("b", 1, 2)).toBe(true)
  })

  it("are forgotten when their nonces are too old", () => {
    const counts = makeNonceCounts(2)
    counts.use("a", 1_000, 1)
    counts.forget(1_001)
    counts.use("b", 2_000, 1)
    counts.use("c", 2_000, 1)
    expect(counts.use("b", 2_000, 2)).toBe(true)
  })
})
