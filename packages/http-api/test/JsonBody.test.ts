import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Predicate } from "effect"
import { type JsonSize, measureJson, withoutNul } from "../src/request/JsonBody.js"

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

describe("withoutNul", () => {
  const check = (value: unknown) => Either.flip(Effect.runSync(Effect.either(withoutNul(value, JSON.stringify(value)))))

  it("says where a text or a name holds a NUL", () => {
    const issueOf = (value: unknown) => Either.map(check(value), ({ issues: [{ loc, msg }] }) => [loc.join("."), msg])
    const refused = (path: string) => Either.right([path, "Must not hold NUL characters"])
    assert.deepStrictEqual(issueOf({ name: "a", list: [1, { text: "b\0" }] }), refused("body.list.1.text"))
    assert.deepStrictEqual(issueOf({ "a\0b": 1 }), refused("body.ab"))
    assert.deepStrictEqual(issueOf("\0"), refused("body"))
  })

  it("passes everything else, and a backslash before u0000 that stands for itself", () => {
    for (const value of ["\\u0000", { text: "\u0001 \\u0000" }, null, [1, true]]) {
      assert.deepStrictEqual(check(value), Either.left(value))
    }
  })
})
