import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Predicate } from "effect"
import { type JsonSize, measureJson } from "../src/request/JsonBody.js"

const unlimited = { depth: Infinity, values: Infinity }

/** Measures a parsed value. */
const sizeOf = (value: unknown): JsonSize => {
  if (!Predicate.isObject(value)) return { depth: 0, values: 1 }
  const inside = Object.values(value).map(sizeOf)
  return inside.length === 0 ? { depth: 1, values: 2 } : {
    depth: 1 + Math.max(...inside.map(({ depth }) => depth)),
    values: inside.reduce((sum, { values }) => sum + values, 1)
  }
}

describe("measureJson", () => {
  it("measures any JSON as parsing it would, whatever its whitespace", () => {
    const indentation = FastCheck.constantFrom(undefined, 1, "\t")
    FastCheck.assert(FastCheck.property(FastCheck.jsonValue({ stringUnit: "binary" }), indentation, (value, indent) => {
      assert.deepStrictEqual(
        measureJson(JSON.stringify(value, null, indent), unlimited),
        sizeOf(JSON.parse(JSON.stringify(value)))
      )
    }))
  })

  it("ignores brackets and commas within strings", () => {
    assert.deepStrictEqual(measureJson(String.raw`{"a[,":"{\"]},[\\","b\\":[1,"[\\\""]}`, unlimited), {
      depth: 2,
      values: 5
    })
  })

  it("stops beyond the limits", () => {
    assert.strictEqual(measureJson("[".repeat(100_000), { depth: 64, values: 1_000 }).depth, 65)
    assert.strictEqual(measureJson("1,".repeat(100_000), { depth: 64, values: 1_000 }).values, 1_001)
  })

  it("terminates on invalid JSON", () => {
    for (const text of ["", "\"", "\"\\", "]]]", "\"[[[[", "{]"]) {
      assert.isAtMost(measureJson(text, unlimited).values, 2)
    }
  })
})
