import { assert, describe, it } from "@effect/vitest"
import { makeJsonEndDetector } from "@trunkline/kernel"
import { FastCheck } from "effect"

const reached = (pieces: ReadonlyArray<string>) => {
  const end = makeJsonEndDetector()
  for (const piece of pieces) end.push(piece)
  return end.isAtEnd()
}

const objectOrList = FastCheck.oneof(
  FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue()),
  FastCheck.array(FastCheck.jsonValue())
)
  .map((value) => JSON.stringify(value))

describe("the end of a JSON text", () => {
  it.prop(
    "is found at the last character and not before, however the text is cut",
    [objectOrList, FastCheck.nat()],
    ([text, at]) => {
      const cut = at % text.length
      assert.isFalse(reached([text.slice(0, cut)]))
      assert.isTrue(reached([text.slice(0, cut), text.slice(cut)]))
      assert.isTrue(reached([...text]))
    }
  )

  it("is not found inside strings", () => {
    assert.isFalse(reached(["{\"a\":\"}"]))
    assert.isFalse(reached(["{\"a\\\"}"]))
    assert.isTrue(reached(["{\"a\":\"}\\\\\"}"]))
  })

  it("is never found where there is no object or list", () => {
    for (const text of ["", "1", "\"a\"", "null", "}", "\"{}"]) assert.isFalse(reached([text]), text)
  })
})
