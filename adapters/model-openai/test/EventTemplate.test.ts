import { assert, describe, it } from "@effect/vitest"
import type { Delta } from "@trunkline/models"
import { FastCheck } from "effect"
import { makeStreamReader } from "../src/answer/AnswerReader.js"

const options = { reasoningIn: "reasoning_content", logprobs: undefined, toolIds: [] } as const

const encoder = new TextEncoder()

/** An event as a server writes it. */
type Event = Readonly<Record<string, unknown>>

const chunk = (delta: unknown, rest: Event = {}, choice: Event = {}): Event => ({
  id: "chatcmpl-1",
  model: "m",
  choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...choice }],
  ...rest
})

/** The deltas of a stream of events, and the state of its reader at the end. */
const deltasOf = (events: ReadonlyArray<Event>, write: (event: Event, index: number) => string) => {
  const reader = makeStreamReader(options)
  const deltas: Array<Delta> = []
  events.forEach((event, index) => reader.push(encoder.encode(`data: ${write(event, index)}\n\n`), deltas))
  reader.end(deltas)
  return { deltas, state: reader.state() }
}

/** Events that differ in their text only, and the same with a field that differs each time, which have to be parsed. */
const alike = (event: Event) => JSON.stringify(event)
const unlike = (event: Event, index: number) => JSON.stringify({ unlike: index, ...event })
const spaced = (event: Event) => JSON.stringify(event).replaceAll("\":", "\" : ")

const text = FastCheck.oneof(
  FastCheck.string({ maxLength: 6 }),
  FastCheck.string({ unit: "binary", maxLength: 4 }),
  FastCheck.constantFrom("", "word ", "\"", "\\", "\\n", "\n", "\ud83d", "\ude00", "नमस्ते", "\"}", "content")
)

const event = FastCheck.oneof(
  { weight: 6, arbitrary: text.map((content) => chunk({ content })) },
  text.map((content) => chunk({ role: "assistant", content })),
  FastCheck.tuple(text, text).map(([content, reasoning_content]) => chunk({ content, reasoning_content })),
  text.map((content) => chunk({ content, tool_calls: [{ index: 0, function: { arguments: "{}" } }] })),
  FastCheck.tuple(text, FastCheck.nat(9)).map(([content, prompt_tokens]) =>
    chunk({ content }, { usage: { prompt_tokens, completion_tokens: 1 } })
  ),
  text.map((content) => chunk({ content }, {}, { finish_reason: "stop" })),
  text.map((content) => chunk({ content }, { error: "" })),
  FastCheck.constant(chunk({ content: "gone" }, { error: { message: "gone", code: 500 } }))
)

describe("events that differ in their text only", () => {
  it("have the same deltas as by the parser, whatever is between them", () => {
    FastCheck.assert(FastCheck.property(FastCheck.array(event, { maxLength: 20 }), (events) => {
      const expected = deltasOf(events, unlike)
      assert.deepStrictEqual(deltasOf(events, alike), expected)
      assert.deepStrictEqual(
        deltasOf(events, spaced),
        deltasOf(events, (event, index) => spaced({ unlike: index, ...event }))
      )
    }))
  })

  it("are not mistaken for one with another field", () => {
    const events = ["a", "b", "c"].map((content) => chunk({ content }))
    const odd =
      `{"id":"chatcmpl-1","model":"m","choices":[{"index":0,"delta":{"content":"x","refusal":"no"},"logprobs":null,"finish_reason":null}]}`
    const reader = makeStreamReader(options)
    const deltas: Array<Delta> = []
    for (const line of [...events.map(alike), odd]) reader.push(encoder.encode(`data: ${line}\n\n`), deltas)
    assert.deepStrictEqual(deltas, [
      ...["a", "b", "c", "x"].map((content) => ({ _tag: "Text" as const, text: content })),
      { _tag: "Refusal", text: "no" }
    ])
  })

  it("are read with the text of the server, also where an earlier event had the same text in other places", () => {
    const same = (content: string) => chunk({ content }, { id: "word", system_fingerprint: "\"content\":\"word" })
    const { deltas } = deltasOf([same("word"), same("other"), same("word")], alike)
    assert.deepStrictEqual(deltas.map((delta) => "text" in delta ? delta.text : ""), ["word", "other", "word"])
  })
})
