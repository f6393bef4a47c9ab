import { assert, describe, it } from "@effect/vitest"
import { appendDelta, type Delta, emptyCompletion } from "@trunkline/models"
import { FastCheck } from "effect"
import { makeWriter } from "../src/Writer.js"

const writing = (stop: ReadonlyArray<string> = [], goesOn = false) => {
  const deltas: Array<Delta> = []
  const writer = makeWriter({ emit: (delta) => void deltas.push(delta), stop, firstCall: 3, continuesText: goesOn })
  return { ...writer, deltas, whole: () => deltas.reduce(appendDelta, emptyCompletion) }
}

/** A text cut into pieces of these lengths. */
const cut = (text: string, lengths: ReadonlyArray<number>): ReadonlyArray<string> => {
  let rest = text
  const pieces = lengths.map((length) => {
    const piece = rest.slice(0, length)
    rest = rest.slice(length)
    return piece
  })
  return [...pieces, rest]
}

const letters = FastCheck.stringOf(FastCheck.constantFrom("a", "b", "c"), { maxLength: 30 })
const stops = FastCheck.array(
  FastCheck.stringOf(FastCheck.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 }),
  {
    maxLength: 4
  }
)

describe("the completion writer", () => {
  it.prop(
    "ends before the first stop sequence, for any split into pieces",
    [letters, stops, FastCheck.array(FastCheck.nat(4))],
    ([text, stop, lengths]) => {
      const { flush, isStopped, text: say, whole } = writing(stop)
      for (const piece of cut(text, lengths)) say(piece)
      flush()
      const first = Math.min(text.length, ...stop.map((word) => text.indexOf(word)).filter((at) => at >= 0))
      assert.strictEqual(whole().text, text.slice(0, first))
      assert.strictEqual(isStopped(), first < text.length)
    }
  )

  it("passes text as soon as it cannot begin a stop sequence", () => {
    const { deltas, text } = writing(["END"])
    text("The E")
    text("N")
    assert.deepStrictEqual(deltas, [{ _tag: "Text", text: "The " }])
    text("vy")
    assert.deepStrictEqual(deltas[1], { _tag: "Text", text: "ENvy" })
  })

  it("begins without space, unless it continues given text", () => {
    const anew = writing()
    anew.text("\n")
    anew.text("\n Yes ")
    assert.strictEqual(anew.whole().text, "Yes ")
    const further = writing([], true)
    further.text(" it is")
    assert.strictEqual(further.whole().text, " it is")
  })

  it("has its reasoning before its text only", () => {
    const { text, thought, whole } = writing()
    thought("Hm")
    text("Yes")
    thought("What?")
    assert.deepStrictEqual([whole().reasoning, whole().text], ["Hm", "Yes"])
  })

  it("calls no tool after a stop sequence", () => {
    const { args, call, isStopped, text, whole } = writing(["ab", "abcd"])
    text("ab")
    text("c")
    call("one")
    args("{}")
    assert.isTrue(isStopped())
    assert.deepStrictEqual([whole().text, whole().toolRequests], ["", []])
  })

  it("numbers tool calls after those of the conversation", () => {
    const { args, call, text, whole } = writing(["x"])
    text("Wait.")
    call("one")
    args("{")
    args("}")
    call("two")
    args("{\"x\":1}")
    assert.deepStrictEqual(whole().toolRequests, [
      { id: "call_3", name: "one", arguments: "{}" },
      { id: "call_4", name: "two", arguments: "{\"x\":1}" }
    ])
  })
})
