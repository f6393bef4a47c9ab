import { assert, describe, it } from "@effect/vitest"
import { appendDelta, type Completion, type Delta, emptyCompletion, splitIntoDeltas } from "@trunkline/models"
import { FastCheck } from "effect"

const whole = (deltas: ReadonlyArray<Delta>): Completion => deltas.reduce(appendDelta, emptyCompletion)

const likelihood = FastCheck.record({ token: FastCheck.string(), logprob: FastCheck.double({ max: 0, noNaN: true }) })

const choices = FastCheck.array(
  FastCheck.tuple(likelihood, FastCheck.array(likelihood, { maxLength: 3 })).map(([choice, top]) => ({
    ...choice,
    top
  }))
)

/** A text, or the tokens that make it up with it. */
const textAndTokens = FastCheck.oneof(
  FastCheck.string().map((text) => ({ text, logprobs: [] })),
  choices.map((logprobs) => ({ text: logprobs.map(({ token }) => token).join(""), logprobs }))
)

const completions: FastCheck.Arbitrary<Completion> = FastCheck.tuple(
  textAndTokens,
  FastCheck.record({
    reasoning: FastCheck.string(),
    refusal: FastCheck.option(FastCheck.string()),
    toolRequests: FastCheck.array(
      FastCheck.record({ id: FastCheck.string(), name: FastCheck.string(), arguments: FastCheck.json() })
    ),
    finish: FastCheck.constantFrom<Completion["finish"]>("stop", "length", "tool_calls", "content_filter"),
    usage: FastCheck.option(
      FastCheck.record({
        inputTokens: FastCheck.nat(),
        cachedTokens: FastCheck.nat(),
        outputTokens: FastCheck.nat(),
        reasoningTokens: FastCheck.nat()
      })
    )
  })
).map(([words, rest]) => ({ ...words, ...rest }))

describe("a completion that arrives in pieces", () => {
  it.prop("is put together into the same completion", [completions], ([completion]) => {
    assert.deepStrictEqual(whole(splitIntoDeltas(completion)), completion)
  })

  it("has the log probability of each token with its text", () => {
    const logprobs = ["Hel", "lo"].map((token) => ({ token, logprob: -0.5, top: [] }))
    assert.deepStrictEqual(splitIntoDeltas({ ...emptyCompletion, text: "Hello", logprobs }).slice(0, -1), [
      { _tag: "Text", text: "Hel", logprobs: logprobs.slice(0, 1) },
      { _tag: "Text", text: "lo", logprobs: logprobs.slice(1) }
    ])
  })

  it("separates the arguments of several tools by their index", () => {
    const deltas: ReadonlyArray<Delta> = [
      { _tag: "ToolStart", index: 0, id: "a", name: "one" },
      { _tag: "ToolStart", index: 1, id: "b", name: "two" },
      { _tag: "ToolArgs", index: 1, text: "{}" },
      { _tag: "ToolArgs", index: 0, text: "[" },
      { _tag: "ToolArgs", index: 0, text: "]" }
    ]
    assert.deepStrictEqual(whole(deltas).toolRequests.map((request) => request.arguments), ["[]", "{}"])
  })

  it("counts as truncated until it is finished", () => {
    assert.strictEqual(whole([{ _tag: "Text", text: "Hel" }]).finish, "length")
  })

  it("has its text word by word", () => {
    assert.strictEqual(splitIntoDeltas({ ...emptyCompletion, text: "One two  three\n" }).length, 4)
  })
})
