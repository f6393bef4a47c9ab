import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Predicate } from "effect"
import { type JsonExtent, measureJson } from "../src/JsonExtent.js"

const boundless = { depth: Infinity, values: Infinity }

/** The same, told by reading. */
const extentOf = (value: unknown): JsonExtent => {
  if (!Predicate.isObject(value)) return { depth: 0, values: 1 }
  const inside = Object.values(value).map(extentOf)
  return inside.length === 0 ? { depth: 1, values: 2 } : {
    depth: 1 + Math.max(...inside.map(({ depth }) => depth)),
    values: inside.reduce((sum, { values }) => sum + values, 1)
  }
}

describe("measureJson", () => {
  it("tells what reading would, of any JSON however it is laid out", () => {
    const layout = FastCheck.constantFrom(undefined, 1, "\t")
    FastCheck.assert(FastCheck.property(FastCheck.jsonValue({ stringUnit: "binary" }), layout, (value, indent) => {
      assert.deepStrictEqual(
        measureJson(JSON.stringify(value, null, indent), boundless),
        extentOf(JSON.parse(JSON.stringify(value)))
      )
    }))
  })

  it("takes what stands in strings for text", () => {
    assert.deepStrictEqual(measureJson(String.raw`{"a[,":"{\"]},[\\","b\\":[1,"[\\\""]}`, boundless), {
      depth: 2,
      values: 5
    })
  })

  it("stops where there is too much", () => {
    assert.strictEqual(measureJson("[".repeat(100_000), { depth: 64, values: 1_000 }).depth, 65)
    assert.strictEqual(measureJson("1,".repeat(100_000), { depth: 64, values: 1_000 }).values, 1_001)
  })

  it("comes to an end of what is no JSON", () => {
    for (const text of ["", "\"", "\"\\", "]]]", "\"[[[[", "{]"]) {
      assert.isAtMost(measureJson(text, boundless).values, 2)
    }
  })
})
