import { assert, describe, it } from "@effect/vitest"
import type { Message } from "@trunkline/models"
import { Effect } from "effect"
import { readBody, scripted } from "./Fixtures.js"

const user = (content: string) => ({ role: "user", content })
const spoken = (content: string) => ({ type: "message", role: "assistant", content })
const call = (n: number) => ({
  type: "function_call",
  call_id: `call_${n}`,
  name: `tool_${n}`,
  arguments: `{"n":${n}}`
})
const result = (n: number, output: unknown = `result ${n}`) => ({
  type: "function_call_output",
  call_id: `call_${n}`,
  output
})
const reasoning = (...texts: ReadonlyArray<string>) => ({
  type: "reasoning",
  summary: texts.map((text) => ({ type: "summary_text", text }))
})
const image = { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" }

const request = (n: number) => ({ id: `call_${n}`, name: `tool_${n}`, arguments: `{"n":${n}}` })
const toolCalls = (...numbers: ReadonlyArray<number>): Message => ({
  role: "assistant",
  content: null,
  toolRequests: numbers.map(request)
})
const toolResult = (n: number): Message => ({
  role: "tool",
  toolRequestId: `call_${n}`,
  name: `tool_${n}`,
  content: `result ${n}`
})

const rows: ReadonlyArray<readonly [about: string, input: unknown, messages: ReadonlyArray<Message>]> = [
  ["a text becomes a user message", "hi", [{ role: "user", content: "hi" }]],
  ["one item becomes a conversation of one message", user("hi"), [{ role: "user", content: "hi" }]],
  [
    "developer messages become system messages, with their parts joined",
    [{ role: "developer", content: [{ type: "input_text", text: "Be " }, { type: "input_text", text: "kind" }] }],
    [{ role: "system", content: "Be kind" }]
  ],
  [
    "a single text part becomes a text, several stay parts",
    [
      { role: "user", content: [{ type: "input_text", text: "a" }] },
      { role: "user", content: [{ type: "input_text", text: "a" }, { type: "input_text", text: "b" }] }
    ],
    [
      { role: "user", content: "a" },
      { role: "user", content: [{ type: "text", text: "a" }, { type: "text", text: "b" }] }
    ]
  ],
  ["a refusal becomes text", [{
    role: "assistant",
    content: [{ type: "output_text", text: "Sorry. " }, { type: "refusal", refusal: "I will not." }]
  }], [{ role: "assistant", content: "Sorry. I will not.", toolRequests: [] }]],
  [
    "images are taken out of their data URLs",
    [{ role: "user", content: [{ type: "input_text", text: "What is it?" }, { ...image, detail: "high" }] }],
    [{
      role: "user",
      content: [
        { type: "text", text: "What is it?" },
        { type: "image", mediaType: "image/png", base64: "iVBORw0KGgo=", detail: "high" }
      ]
    }]
  ],
  [
    "consecutive calls become one message, and results get the names of their tools",
    [call(1), call(2), result(2), result(1)],
    [toolCalls(1, 2), toolResult(2), toolResult(1)]
  ],
  [
    "calls join the text and the reasoning before them",
    [user("hi"), reasoning("Hm."), spoken("One moment."), call(1), result(1)],
    [
      { role: "user", content: "hi" },
      { role: "assistant", content: "One moment.", toolRequests: [request(1)], reasoning: "Hm." },
      toolResult(1)
    ]
  ],
  [
    "text joins the calls before it",
    [call(1), spoken("One moment."), result(1)],
    [{ role: "assistant", content: "One moment.", toolRequests: [request(1)] }, toolResult(1)]
  ],
  [
    "text after text becomes a new message, with the reasoning between",
    [spoken("One."), reasoning("Hm."), spoken("Two.")],
    [
      { role: "assistant", content: "One.", toolRequests: [] },
      { role: "assistant", content: "Two.", toolRequests: [], reasoning: "Hm." }
    ]
  ],
  [
    "reasoning between calls stays in their message, so that results follow their calls",
    [reasoning("A", "B"), call(1), reasoning("C"), call(2), result(1), result(2)],
    [
      { role: "assistant", content: null, toolRequests: [request(1), request(2)], reasoning: "A\n\nB\n\nC" },
      toolResult(1),
      toolResult(2)
    ]
  ],
  [
    "results separate the messages of the model",
    [call(1), result(1), call(2), result(2), spoken("Done.")],
    [toolCalls(1), toolResult(1), toolCalls(2), toolResult(2), {
      role: "assistant",
      content: "Done.",
      toolRequests: []
    }]
  ],
  [
    "reasoning without a text or call after it is dropped, and so is empty reasoning",
    [reasoning("lost"), user("hi"), reasoning("", ""), spoken("Hello"), reasoning("lost")],
    [{ role: "user", content: "hi" }, { role: "assistant", content: "Hello", toolRequests: [] }]
  ],
  [
    "results may have parts",
    [call(1), result(1, [{ type: "input_text", text: "result 1" }])],
    [toolCalls(1), toolResult(1)]
  ]
]

describe("the conversation in a body", () => {
  for (const [about, input, messages] of rows) {
    it.effect(`is read so that ${about}`, () =>
      Effect.gen(function*() {
        const { request } = yield* readBody({ model: "model-v", input })
        assert.deepStrictEqual(request.messages, messages)
      }).pipe(Effect.provide(scripted())))
  }

  it.effect("begins with the instructions, unless they are empty", () =>
    Effect.gen(function*() {
      const withInstructions = yield* readBody({ model: "model-v", input: "hi", instructions: "Be kind" })
      assert.deepStrictEqual(withInstructions.request.messages[0], { role: "system", content: "Be kind" })
      const without = yield* readBody({ model: "model-v", input: "hi", instructions: "" })
      assert.deepStrictEqual(without.request.messages, [{ role: "user", content: "hi" }])
    }).pipe(Effect.provide(scripted())))

  it.effect("is converted in linear time, however many reasoning items it has", () =>
    Effect.gen(function*() {
      const turns = 20_000
      const input = Array.from({ length: turns }, (_, n) => [reasoning("x".repeat(100)), call(n)]).flat()
      const { request: { messages } } = yield* readBody({ model: "model-v", input })
      assert.lengthOf(messages, 1)
      const [turn] = messages
      assert.strictEqual(turn?.role === "assistant" ? turn.reasoning?.length : 0, turns * 102 - 2)
    }).pipe(Effect.provide(scripted())))
})
