import { assert, describe, it } from "@effect/vitest"
import type { Message } from "@trunkline/models"
import { Effect } from "effect"
import { readBody, scripted } from "./fixtures.js"

const user = (content: string) => ({ role: "user", content })
const said = (content: string) => ({ type: "message", role: "assistant", content })
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
const thought = (...texts: ReadonlyArray<string>) => ({
  type: "reasoning",
  summary: texts.map((text) => ({ type: "summary_text", text }))
})
const image = { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" }

const request = (n: number) => ({ id: `call_${n}`, name: `tool_${n}`, arguments: `{"n":${n}}` })
const asks = (...numbers: ReadonlyArray<number>): Message => ({
  role: "assistant",
  content: null,
  toolRequests: numbers.map(request)
})
const answers = (n: number): Message => ({
  role: "tool",
  toolRequestId: `call_${n}`,
  name: `tool_${n}`,
  content: `result ${n}`
})

const rows: ReadonlyArray<readonly [about: string, input: unknown, messages: ReadonlyArray<Message>]> = [
  ["a text is a message of the user", "hi", [{ role: "user", content: "hi" }]],
  ["one item is a conversation of one", user("hi"), [{ role: "user", content: "hi" }]],
  [
    "a developer speaks as the system, and so do its pieces together",
    [{ role: "developer", content: [{ type: "input_text", text: "Be " }, { type: "input_text", text: "kind" }] }],
    [{ role: "system", content: "Be kind" }]
  ],
  [
    "one piece is a text, several stay pieces",
    [
      { role: "user", content: [{ type: "input_text", text: "a" }] },
      { role: "user", content: [{ type: "input_text", text: "a" }, { type: "input_text", text: "b" }] }
    ],
    [
      { role: "user", content: "a" },
      { role: "user", content: [{ type: "text", text: "a" }, { type: "text", text: "b" }] }
    ]
  ],
  ["a refusal is what was said", [{
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
    "calls that follow one another are one message, and results know the names of their tools",
    [call(1), call(2), result(2), result(1)],
    [asks(1, 2), answers(2), answers(1)]
  ],
  [
    "calls join the words before them, and the thoughts",
    [user("hi"), thought("Hm."), said("One moment."), call(1), result(1)],
    [
      { role: "user", content: "hi" },
      { role: "assistant", content: "One moment.", toolRequests: [request(1)], reasoning: "Hm." },
      answers(1)
    ]
  ],
  [
    "words join the calls before them",
    [call(1), said("One moment."), result(1)],
    [{ role: "assistant", content: "One moment.", toolRequests: [request(1)] }, answers(1)]
  ],
  [
    "words that follow words are a message of their own, with the thoughts between",
    [said("One."), thought("Hm."), said("Two.")],
    [
      { role: "assistant", content: "One.", toolRequests: [] },
      { role: "assistant", content: "Two.", toolRequests: [], reasoning: "Hm." }
    ]
  ],
  [
    "thoughts between calls stay with them, so that results follow their calls",
    [thought("A", "B"), call(1), thought("C"), call(2), result(1), result(2)],
    [
      { role: "assistant", content: null, toolRequests: [request(1), request(2)], reasoning: "A\n\nB\n\nC" },
      answers(1),
      answers(2)
    ]
  ],
  [
    "results part what the model put out",
    [call(1), result(1), call(2), result(2), said("Done.")],
    [asks(1), answers(1), asks(2), answers(2), { role: "assistant", content: "Done.", toolRequests: [] }]
  ],
  [
    "thoughts that nothing follows are left out, and so are empty ones",
    [thought("lost"), user("hi"), thought("", ""), said("Hello"), thought("lost")],
    [{ role: "user", content: "hi" }, { role: "assistant", content: "Hello", toolRequests: [] }]
  ],
  [
    "a result may be in pieces",
    [call(1), result(1, [{ type: "input_text", text: "result 1" }])],
    [asks(1), answers(1)]
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
      const told = yield* readBody({ model: "model-v", input: "hi", instructions: "Be kind" })
      assert.deepStrictEqual(told.request.messages[0], { role: "system", content: "Be kind" })
      const untold = yield* readBody({ model: "model-v", input: "hi", instructions: "" })
      assert.deepStrictEqual(untold.request.messages, [{ role: "user", content: "hi" }])
    }).pipe(Effect.provide(scripted())))

  it.effect("takes no longer than its length, however often the model thought", () =>
    Effect.gen(function*() {
      const turns = 20_000
      const input = Array.from({ length: turns }, (_, n) => [thought("x".repeat(100)), call(n)]).flat()
      const { request: { messages } } = yield* readBody({ model: "model-v", input })
      assert.lengthOf(messages, 1)
      const [turn] = messages
      assert.strictEqual(turn?.role === "assistant" ? turn.reasoning?.length : 0, turns * 102 - 2)
    }).pipe(Effect.provide(scripted())))
})
