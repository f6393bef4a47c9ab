import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { makeJsonEnd } from "../src/output/JsonEnd.js"

const reached = (pieces: ReadonlyArray<string>) => {
  const end = makeJsonEnd()
  for (const piece of pieces) end.push(piece)
  return end.reached()
}

const objectOrList = FastCheck.oneof(
  FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue()),
  FastCheck.array(FastCheck.jsonValue())
)
  .map((value) => JSON.stringify(value))

describe("the end of a JSON text", () => {
  it.prop(
    "is reached with the last character and not before, however the text is cut",
    [objectOrList, FastCheck.nat()],
    ([text, at]) => {
      const cut = at % text.length
      assert.isFalse(reached([text.slice(0, cut)]))
      assert.isTrue(reached([text.slice(0, cut), text.slice(cut)]))
      assert.isTrue(reached([...text]))
    }
  )

  it("is not taken for reached in strings", () => {
    assert.isFalse(reached(["{\"a\":\"}"]))
    assert.isFalse(reached(["{\"a\\\"}"]))
    assert.isTrue(reached(["{\"a\":\"}\\\\\"}"]))
  })

  it("is never reached where there is no object or list", () => {
    for (const text of ["", "1", "\"a\"", "null", "}", "\"{}"]) assert.isFalse(reached([text]), text)
  })
})
