import { assert, describe, it } from "@effect/vitest"
import {
  canonicalJson,
  fieldOf,
  isJsonObject,
  listOf,
  numberOf,
  objectOf,
  stringOf,
  stringsOf
} from "@trunkline/kernel"

describe("reading JSON values", () => {
  it("tells objects from null and lists", () => {
    assert.isTrue(isJsonObject({}))
    for (const value of [null, [], "a", 1, true, undefined]) assert.isFalse(isJsonObject(value))
  })

  it("reads own fields only", () => {
    assert.strictEqual(fieldOf({ a: 1 }, "a"), 1)
    assert.strictEqual(fieldOf({}, "toString"), undefined)
  })

  it("gives an empty value or undefined for a value of another type", () => {
    assert.deepStrictEqual([objectOf([1]), listOf({}), stringsOf("a")], [{}, [], []])
    assert.deepStrictEqual([numberOf("1"), numberOf(NaN), stringOf(1)], [undefined, undefined, undefined])
    assert.deepStrictEqual(stringsOf(["a", 1, "b"]), ["a", "b"])
  })

  it("encodes equal values as equal texts, whatever the order of their fields", () => {
    assert.strictEqual(canonicalJson({ b: [1, { d: null, c: "x" }], a: true }), `{"a":true,"b":[1,{"c":"x","d":null}]}`)
    const deep = Array.from({ length: 5_000 }).reduce<unknown>((inner) => [inner], 0)
    assert.include(canonicalJson(deep), "…")
  })
})
