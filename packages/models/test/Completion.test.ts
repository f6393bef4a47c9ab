import { assert, describe, it } from "@effect/vitest"
import { append, type Completion, type Delta, deltasOf, emptyCompletion } from "@trunkline/models"
import { FastCheck } from "effect"

const whole = (deltas: ReadonlyArray<Delta>): Completion => deltas.reduce(append, emptyCompletion)

const tools = FastCheck.array(
  FastCheck.record({ id: FastCheck.string(), name: FastCheck.string(), arguments: FastCheck.json() })
)

describe("an answer in pieces", () => {
  it.prop(
    "is the answer again when put together",
    [FastCheck.string(), FastCheck.string(), tools],
    ([text, reasoning, toolRequests]) => {
      const usage = { inputTokens: 3, cachedTokens: 0, outputTokens: 2, reasoningTokens: 0 }
      const completion: Completion = { text, reasoning, toolRequests, finish: "stop", usage }
      assert.deepStrictEqual(whole(deltasOf(completion)), completion)
    }
  )

  it("takes the arguments of several tools apart by number", () => {
    const deltas: ReadonlyArray<Delta> = [
      { _tag: "ToolStart", index: 0, id: "a", name: "one" },
      { _tag: "ToolStart", index: 1, id: "b", name: "two" },
      { _tag: "ToolArgs", index: 1, text: "{}" },
      { _tag: "ToolArgs", index: 0, text: "[" },
      { _tag: "ToolArgs", index: 0, text: "]" }
    ]
    assert.deepStrictEqual(whole(deltas).toolRequests.map((request) => request.arguments), ["[]", "{}"])
  })

  it("counts as cut short until it is finished", () => {
    assert.strictEqual(whole([{ _tag: "Text", text: "Hel" }]).finish, "length")
  })

  it("brings text word by word", () => {
    assert.strictEqual(deltasOf({ ...emptyCompletion, text: "One two  three\n" }).length, 4)
  })
})
