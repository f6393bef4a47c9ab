import { assert, describe, it } from "@effect/vitest"
import type { Delta } from "@trunkline/models"
import { FastCheck } from "effect"
import type { ReasoningPlace } from "../src/Capabilities.js"
import { reading, written } from "./fixtures/Reading.js"
import { chunk, finished, texts, whole, words } from "./fixtures/Wire.js"

const reasoning = (text: string): Delta => ({ _tag: "Reasoning", text })

/** The thoughts, text and refusal of an answer, each joined. */
const together = (deltas: ReadonlyArray<Delta>) => ({
  thought: deltas.map((delta) => delta._tag === "Reasoning" ? delta.text : "").join(""),
  said: deltas.map((delta) => delta._tag === "Text" ? delta.text : "").join("")
})

const thinking = (reasoningIn: ReasoningPlace, ...pieces: ReadonlyArray<string>) =>
  together(written(pieces.map(words), { reasoningIn }))

describe("the text of a completion", () => {
  it("never has half a surrogate pair: the first half waits for the second", () => {
    assert.deepStrictEqual(written([words("a\uD83D"), words("\uDE00b")]), texts("a", "😀b"))
    assert.deepStrictEqual(written([words("\uD83D"), words(""), words("\uDE00")]), texts("😀"))
    assert.deepStrictEqual(written([words("a\uD83D"), words("b")]), texts("a", "\uFFFDb"))
    assert.deepStrictEqual(written([words("a\uDE00b")]), texts("a\uFFFDb"))
    assert.deepStrictEqual(written([words("a\uD83D")]), texts("a", "\uFFFD"))
  })

  it("keeps surrogate halves apart from those of reasoning and refusals", () => {
    assert.deepStrictEqual(
      written([
        chunk({ reasoning_content: "\uD83D", content: "\uD83D", refusal: "\uD83D" }),
        chunk({ refusal: "\uDE02" }),
        chunk({ content: "\uDE01" }),
        chunk({})
      ]),
      [{ _tag: "Refusal", text: "😂" }, reasoning("\uFFFD"), ...texts("😁")]
    )
  })

  it("keeps replacement characters of the upstream", () => {
    assert.deepStrictEqual(written([words("\uFFFD"), words("\uFFFD\uFFFD")]), texts("\uFFFD", "\uFFFD\uFFFD"))
  })

  it.prop(
    "is well formed and complete, for any split into pieces",
    [
      FastCheck.array(FastCheck.constantFrom("a", "😀", "न", "👩‍👧"), { maxLength: 8 }),
      FastCheck.array(FastCheck.nat(20))
    ],
    ([pieces, cuts]) => {
      const text = pieces.join("")
      const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length]
      const deltas = written(places.slice(1).map((place, at) => words(text.slice(places[at], place))))
      assert.strictEqual(together(deltas).said, text)
      for (const delta of deltas) assert.notMatch(delta._tag === "Text" ? delta.text : "", /\p{Surrogate}/u)
    }
  )

  it("may arrive in content parts", () => {
    const parts = [{ type: "text", text: "Hel" }, { type: "image" }, { type: "text", text: "lo" }, null]
    assert.deepStrictEqual(written([chunk({ content: parts })]), texts("Hello"))
  })

  it("is that of the first choice only", () => {
    const other = { ...words("no"), choices: [{ index: 1, delta: { content: "no" }, finish_reason: "stop" }] }
    assert.deepStrictEqual(reading([words("yes"), other]).isWhole, false)
    assert.deepStrictEqual(written([words("yes"), other]), texts("yes"))
  })

  it("may be that of a whole message", () => {
    const { deltas } = reading([whole({ role: "assistant", content: "Hi", reasoning_content: "Hm", tool_calls: null })])
    assert.deepStrictEqual(deltas, [reasoning("Hm"), ...texts("Hi"), finished("stop")])
  })

  it("is separate from refusals", () => {
    assert.deepStrictEqual(written([chunk({ refusal: "I will" }), chunk({ refusal: " not." })]), [
      { _tag: "Refusal", text: "I will" },
      { _tag: "Refusal", text: " not." }
    ])
  })
})

describe("reasoning", () => {
  it("is read from either field, and once if both are present", () => {
    for (const reasoningIn of ["reasoning_content", "reasoning"] as const) {
      for (
        const delta of [{ reasoning: "a" }, { reasoning_content: "a" }, { reasoning: "a", reasoning_content: "a" }]
      ) {
        assert.deepStrictEqual(written([chunk(delta)], { reasoningIn }), [reasoning("a")])
      }
    }
    assert.deepStrictEqual(written([chunk({ reasoning: null, reasoning_content: "" })]), [])
  })

  it("is separated from the text by tags", () => {
    const expected = { thought: "Hm. 1 < 2", said: "So: <think>" }
    assert.deepStrictEqual(thinking("think_tags", "<think>Hm. 1 < 2</think>So: <think>"), expected)
    assert.deepStrictEqual(thinking("think_tags", " \n<think>\nHm. 1 < 2</think>\n\nSo: <think>"), expected)
    assert.deepStrictEqual(thinking("begun_think_tags", "\nHm. 1 < 2</think>\n\nSo: <think>"), expected)
  })

  it("may be missing, empty, or the whole content", () => {
    assert.deepStrictEqual(thinking("think_tags", "  So"), { thought: "", said: "  So" })
    assert.deepStrictEqual(thinking("think_tags", "<thin"), { thought: "", said: "<thin" })
    assert.deepStrictEqual(thinking("think_tags", "<think>\n\n</think>\n\nSo"), { thought: "", said: "So" })
    assert.deepStrictEqual(thinking("think_tags", "<think>Hm</thi"), { thought: "Hm</thi", said: "" })
    assert.deepStrictEqual(thinking("think_tags", " ".repeat(100), "So"), { thought: "", said: `${" ".repeat(100)}So` })
    assert.deepStrictEqual(thinking("reasoning", "<think>Hm</think>So"), { thought: "", said: "<think>Hm</think>So" })
  })

  it.prop(
    "is the same for any split into pieces",
    [
      FastCheck.constantFrom("\n<think>\nHm </thin </think>\n\nSo </think>", "<thinker> So", "<think></think>", "   "),
      FastCheck.array(FastCheck.nat(45))
    ],
    ([text, cuts]) => {
      const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length]
      const pieces = places.slice(1).map((place, at) => text.slice(places[at], place))
      assert.deepStrictEqual(thinking("think_tags", ...pieces), thinking("think_tags", text))
    }
  )
})

const token = (text: string, ...others: ReadonlyArray<string>) => ({
  token: text,
  logprob: -0.5,
  bytes: null,
  top_logprobs: [text, ...others].map((token) => ({ token, logprob: -0.5, bytes: [1] }))
})

const likely = (delta: unknown, ...tokens: ReadonlyArray<unknown>) => ({
  ...chunk(delta),
  choices: [{ index: 0, delta, finish_reason: null, logprobs: { content: tokens, refusal: null } }]
})

const choice = (text: string, ...top: ReadonlyArray<string>) => ({
  token: text,
  logprob: -0.5,
  top: top.map((token) => ({ token, logprob: -0.5 }))
})

describe("log probabilities", () => {
  const chunks = [
    likely({ content: "Hi" }, token("Hi", "Ho")),
    likely({ content: " you" }, token(" y", "Y"), token("ou"))
  ]

  it("accompany the text, with at most the requested number of alternatives", () => {
    assert.deepStrictEqual(written(chunks, { logprobs: 1 }), [
      { _tag: "Text", text: "Hi", logprobs: [choice("Hi", "Hi")] },
      { _tag: "Text", text: " you", logprobs: [choice(" y", " y"), choice("ou", "ou")] }
    ])
    assert.deepStrictEqual(written(chunks.slice(0, 1), { logprobs: 0 }), [
      { _tag: "Text", text: "Hi", logprobs: [choice("Hi")] }
    ])
  })

  it("are dropped if they were not requested or are invalid", () => {
    assert.deepStrictEqual(written(chunks), texts("Hi", " you"))
    const odd = likely({ content: "Hi" }, { token: "Hi" }, null, { ...token("Hi"), top_logprobs: "none" })
    assert.deepStrictEqual(written([odd], { logprobs: 5 }), [{ _tag: "Text", text: "Hi", logprobs: [choice("Hi")] }])
  })

  it("wait with half a surrogate pair", () => {
    assert.deepStrictEqual(
      written([likely({ content: "\uD83D" }, token("\uFFFD")), likely({ content: "\uDE00" }, token("\uFFFD"))], {
        logprobs: 0
      }),
      [{ _tag: "Text", text: "😀", logprobs: [choice("\uFFFD"), choice("\uFFFD")] }]
    )
  })

  it("belong to the text only, not to reasoning in it", () => {
    const pieces = ["<think>", "Hm", "</think>", "\n\n", "So", "!"]
    const expected: ReadonlyArray<Delta> = [
      reasoning("Hm"),
      { _tag: "Text", text: "So", logprobs: [choice("So")] },
      { _tag: "Text", text: "!", logprobs: [choice("!")] }
    ]
    const streamed = pieces.map((piece) => likely({ content: piece }, token(piece)))
    assert.deepStrictEqual(written(streamed, { logprobs: 0, reasoningIn: "think_tags" }), expected)
    const one = likely({ content: pieces.join("") }, ...pieces.map((piece) => token(piece)))
    assert.deepStrictEqual(written([one], { logprobs: 0, reasoningIn: "think_tags" }), [
      reasoning("Hm"),
      { _tag: "Text", text: "So!", logprobs: [choice("So"), choice("!")] }
    ])
  })
})

describe("the finish reason of a completion", () => {
  it("is one of four, for every name of the upstream", () => {
    const reasons = {
      stop: "stop",
      eos_token: "stop",
      stop_sequence: "stop",
      constructor: "stop",
      length: "length",
      LENGTH: "length",
      max_tokens: "length",
      content_filter: "content_filter"
    } as const
    for (const [upstreamReason, reason] of Object.entries(reasons)) {
      assert.deepStrictEqual(
        reading([words("Hi"), chunk({}, upstreamReason)]).deltas.at(-1),
        finished(reason),
        upstreamReason
      )
    }
  })

  it("is missing if the upstream reports none", () => {
    for (const reason of [null, undefined, "", 7]) {
      const last = { ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: reason }] }
      assert.isFalse(reading([words("Hi"), last]).isWhole)
    }
  })

  it("arrives once and last, also if it was reported early or twice", () => {
    assert.deepStrictEqual(
      reading([chunk({ content: "a" }, "stop"), chunk({ content: "b" }, null), chunk({}, "stop")]).deltas,
      [...texts("a", "b"), finished("stop")]
    )
  })
})

describe("the usage of a completion", () => {
  const usageOf = (usage: unknown) => {
    const { deltas } = reading([chunk({}, "stop", { usage })])
    return deltas.flatMap((delta) => delta._tag === "Usage" ? [delta.usage] : [])
  }

  it("has details if the upstream reports them", () => {
    assert.deepStrictEqual(
      usageOf({
        prompt_tokens: 10,
        completion_tokens: 7,
        total_tokens: 17,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 2 }
      }),
      [{ inputTokens: 10, cachedTokens: 4, outputTokens: 7, reasoningTokens: 2 }]
    )
  })

  it("counts the rest of the total as output", () => {
    const others = { cachedTokens: 0, reasoningTokens: 0 }
    assert.deepStrictEqual(usageOf({ prompt_tokens: 10, total_tokens: 17 }), [{
      inputTokens: 10,
      outputTokens: 7,
      ...others
    }])
    assert.deepStrictEqual(
      usageOf({
        prompt_tokens: 10,
        completion_tokens: 3,
        total_tokens: 17,
        completion_tokens_details: { reasoning_tokens: 4 }
      }),
      [{ inputTokens: 10, outputTokens: 7, cachedTokens: 0, reasoningTokens: 4 }]
    )
  })

  it("is dropped if it is invalid", () => {
    assert.deepStrictEqual(
      usageOf({
        prompt_tokens: 2,
        completion_tokens: 1,
        total_tokens: 1,
        prompt_tokens_details: { cached_tokens: 9 },
        completion_tokens_details: null
      }),
      [{ inputTokens: 2, cachedTokens: 2, outputTokens: 1, reasoningTokens: 0 }]
    )
    for (
      const none of [null, undefined, {}, [], "5", { prompt_tokens: 5 }, { prompt_tokens: -1, completion_tokens: 5 }]
    ) {
      assert.deepStrictEqual(usageOf(none), [])
    }
  })
})
