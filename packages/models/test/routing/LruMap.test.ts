import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { LruMap } from "../../src/routing/LruMap.js"

describe("a map of the least recently used", () => {
  it.prop(
    "keeps what was asked for last, and never more than it is to hold",
    {
      capacity: FastCheck.integer({ min: 1, max: 5 }),
      keys: FastCheck.array(FastCheck.integer({ min: 0, max: 9 }), { maxLength: 50 })
    },
    ({ capacity, keys }) => {
      const map = new LruMap(capacity, (key: number) => ({ key }))
      let recent: ReadonlyArray<{ readonly key: number }> = []
      for (const key of keys) {
        const value = map.get(key)
        const known = recent.find((one) => one.key === key)
        if (known !== undefined) assert.strictEqual(value, known)
        recent = [...recent.filter((one) => one !== known), value].slice(-capacity)
        assert.deepStrictEqual(Array.from(map.values()), recent)
      }
      map.clear()
      assert.deepStrictEqual(Array.from(map.values()), [])
    }
  )
})
