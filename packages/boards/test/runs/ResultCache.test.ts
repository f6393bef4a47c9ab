import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { makeResultCache, sizeOf } from "../../src/runs/ResultCache.js"
import { cell } from "./fixtures.js"

const small = cell("small")
const room = (results: number) => makeResultCache({ lifetime: 60_000, bytes: results * sizeOf(small) })

describe("ResultCache", () => {
  it("gives a result until its time is over, and not at that moment", () => {
    const cache = room(10)
    cache.put("a", small, 1_000)
    assert.strictEqual(cache.get("a", 60_999), small)
    assert.isUndefined(cache.get("a", 61_000))
    assert.strictEqual(cache.size(), 0)
  })

  it("counts the time from when a result was kept, however often it was asked for", () => {
    const cache = room(10)
    cache.put("a", small, 0)
    cache.get("a", 59_999)
    assert.isUndefined(cache.get("a", 60_000))
    cache.put("b", small, 70_000)
    cache.put("b", cell("other"), 80_000)
    assert.deepStrictEqual(cache.get("b", 139_999), cell("other"))
  })

  it("lets that go which was not asked for longest, when there is no room", () => {
    const cache = room(3)
    for (const key of ["a", "b", "c"]) cache.put(key, small, 0)
    cache.get("a", 1)
    cache.put("d", small, 2)
    assert.deepStrictEqual(["a", "b", "c", "d"].filter((key) => cache.get(key, 3) !== undefined), ["a", "c", "d"])
  })

  it("does not keep what is larger than all its room, nor what was there before it", () => {
    const cache = room(3)
    const large = cell("x".repeat(10_000))
    cache.put("a", small, 0)
    cache.put("b", small, 0)
    cache.put("b", large, 0)
    assert.isUndefined(cache.get("b", 1))
    assert.strictEqual(cache.get("a", 1), small)
  })

  it("estimates no less than two bytes for each character", () => {
    assert.isAtLeast(sizeOf(cell("x".repeat(1_000_000))), 2_000_000)
    assert.isAtLeast(
      sizeOf({ columns: [], rows: Array.from({ length: 1_000 }, () => [null, 1, true]), truncated: false }),
      24_000
    )
  })

  const step = FastCheck.record({
    key: FastCheck.constantFrom("a", "b", "c", "d", "e"),
    length: FastCheck.option(FastCheck.nat(2_000)),
    after: FastCheck.nat(20_000)
  })

  it.prop("never takes more room than it has, nor gives anything but what was kept last and lately", [
    FastCheck.array(step)
  ], (
    [steps]
  ) => {
    const bytes = 4 * sizeOf(small)
    const cache = makeResultCache({ lifetime: 60_000, bytes })
    const last = new Map<string, { readonly value: string; readonly at: number }>()
    let now = 0
    for (const { after, key, length } of steps) {
      now += after
      if (length === null) {
        const found = cache.get(key, now)
        const expected = last.get(key)
        if (found === undefined) continue
        assert.deepStrictEqual(found, cell(expected?.value ?? "nothing"))
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
