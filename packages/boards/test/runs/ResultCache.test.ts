import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { estimateSize, makeResultCache } from "../../src/runs/ResultCache.js"
import { cell } from "./Fixtures.js"

const small = cell("small")
const room = (results: number) => makeResultCache({ ttl: 60_000, bytes: results * estimateSize(small) })

describe("ResultCache", () => {
  it("returns a result until it expires", () => {
    const cache = room(10)
    cache.put("a", small, 1_000)
    assert.strictEqual(cache.get("a", 60_999), small)
    assert.isUndefined(cache.get("a", 61_000))
    assert.strictEqual(cache.size(), 0)
  })

  it("measures the time to live from storing, not from reading", () => {
    const cache = room(10)
    cache.put("a", small, 0)
    cache.get("a", 59_999)
    assert.isUndefined(cache.get("a", 60_000))
    cache.put("b", small, 70_000)
    cache.put("b", cell("other"), 80_000)
    assert.deepStrictEqual(cache.get("b", 139_999), cell("other"))
  })

  it("returns only results that are young enough, and keeps the others", () => {
    const cache = room(10)
    cache.put("a", small, 1_000)
    assert.strictEqual(cache.get("a", 5_999, 5_000), small)
    assert.isUndefined(cache.get("a", 6_000, 5_000))
    assert.strictEqual(cache.get("a", 6_000), small)
    assert.isUndefined(cache.get("a", 1_000, 0))
    assert.isUndefined(cache.get("a", 61_000, 60_000))
  })

  it("evicts the least recently used result when full", () => {
    const cache = room(3)
    for (const key of ["a", "b", "c"]) cache.put(key, small, 0)
    cache.get("a", 1)
    cache.put("d", small, 2)
    assert.deepStrictEqual(["a", "b", "c", "d"].filter((key) => cache.get(key, 3) !== undefined), ["a", "c", "d"])
  })

  it("does not store a result larger than its capacity, and removes the previous one", () => {
    const cache = room(3)
    const large = cell("x".repeat(10_000))
    cache.put("a", small, 0)
    cache.put("b", small, 0)
    cache.put("b", large, 0)
    assert.isUndefined(cache.get("b", 1))
    assert.strictEqual(cache.get("a", 1), small)
  })

  it("estimates at least two bytes per character", () => {
    assert.isAtLeast(estimateSize(cell("x".repeat(1_000_000))), 2_000_000)
    assert.isAtLeast(
      estimateSize({ columns: [], rows: Array.from({ length: 1_000 }, () => [null, 1, true]), truncated: false }),
      24_000
    )
  })

  const step = FastCheck.record({
    key: FastCheck.constantFrom("a", "b", "c", "d", "e"),
    length: FastCheck.option(FastCheck.nat(2_000)),
    after: FastCheck.nat(20_000)
  })

  it.prop("never exceeds its capacity, and returns only the latest unexpired result", [
    FastCheck.array(step)
  ], (
    [steps]
  ) => {
    const bytes = 4 * estimateSize(small)
    const cache = makeResultCache({ ttl: 60_000, bytes })
    const last = new Map<string, { readonly value: string; readonly at: number }>()
    let now = 0
    for (const { after, key, length } of steps) {
      now += after
      if (length === null) {
        const entry = cache.get(key, now)
        const expected = last.get(key)
        if (entry === undefined) continue
        assert.deepStrictEqual(entry, cell(expected?.value ?? "nothing"))
        assert.isBelow(now - (expected?.at ?? -Infinity), 60_000)
      } else {
        const value = "v".repeat(length)
        cache.put(key, cell(value), now)
        last.set(key, { value, at: now })
      }
      assert.isAtMost(cache.size(), bytes)
    }
  })
})
