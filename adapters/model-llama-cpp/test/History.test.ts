import { assert, describe, it } from "@effect/vitest"
import type { Message } from "@trunkline/models"
import { historyOf } from "../src/History.js"
import type { CallItem } from "../src/LlamaModule.js"

const user = (content: string): Message => ({ role: "user", content })
const result = (toolRequestId: string, content: string): Message => ({
  role: "tool",
  toolRequestId,
  name: "weather",
  content
})
const asks = (...ids: ReadonlyArray<string>): Message => ({
  role: "assistant",
  content: null,
  toolRequests: ids.map((id) => ({ id, name: "weather", arguments: `{"day":"${id}"}` }))
})
const call = (day: string, sky: unknown, startsNewChunk = true): CallItem => ({
  type: "functionCall",
  name: "weather",
  params: { day },
  result: sky,
  startsNewChunk
})

describe("a conversation for a chat template", () => {
  it("keeps text, reasoning and tool calls of the model in one message", () => {
    const messages: ReadonlyArray<Message> = [
      { role: "system", content: "Be brief." },
      user("Weather?"),
      { role: "assistant", content: "Let me see.", reasoning: "A tool helps.", toolRequests: [] },
      asks("1", "2"),
      result("2", `{"sky":"red"}`),
      result("1", "clear"),
      { role: "assistant", content: "Fine.", toolRequests: [] }
    ]
    assert.deepStrictEqual(historyOf(messages), [
      { type: "system", text: "Be brief." },
      { type: "user", text: "Weather?" },
      {
        type: "model",
        response: [
          { type: "segment", segmentType: "thought", text: "A tool helps.", ended: true },
          "Let me see.",
          call("1", "clear"),
          call("2", { sky: "red" }, false),
          "Fine."
        ]
      }
    ])
  })

  it("matches a tool result with the latest call of its id, and with none if there is no call", () => {
    assert.deepStrictEqual(historyOf([asks("1"), result("1", "1"), user("Again?"), asks("1"), result("1", "2")]), [
      { type: "model", response: [call("1", 1)] },
      { type: "user", text: "Again?" },
      { type: "model", response: [call("1", 2)] }
    ])
    assert.deepStrictEqual(historyOf([asks("1"), result("9", "late")]), [
      { type: "model", response: [call("1", undefined)] },
      { type: "user", text: "weather: late" }
    ])
  })

  it("keeps arguments that are not JSON, and unknown roles", () => {
    const broken: Message = {
      role: "assistant",
      content: "",
      toolRequests: [{ id: "1", name: "weather", arguments: "{\"da" }]
    }
    assert.deepStrictEqual(historyOf([broken, { role: "other", as: "referee", content: "Stop!" }]), [
      { type: "model", response: [{ ...call("", undefined), params: "{\"da" }] },
      { type: "user", text: "referee: Stop!" }
    ])
  })
})
