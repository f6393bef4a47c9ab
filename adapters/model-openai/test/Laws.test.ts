import { isJsonObject, listOf } from "@trunkline/kernel"
import { OpenAiModel } from "@trunkline/model-openai"
import { languageModelLaws } from "@trunkline/models/testing"
import { Effect, Layer } from "effect"
import { type FakeUpstream, fakeUpstream, type Seen, type Step } from "./fixtures/FakeUpstream.js"
import { chunk, event, events, json, usageChunk, whole } from "./fixtures/Wire.js"

/** The answer of a small model: text that depends on the request, or a tool call if one is required. */
const saidTo = ({ body }: Seen) => {
  const words = `It rains ${JSON.stringify(body.messages).length} days in July, says the sky 🌧.`.split(/(?= )/)
  const most = typeof body.max_tokens === "number" ? body.max_tokens : words.length
  const isCut = most < words.length
  const [tool] = body.tool_choice === "required" ? listOf(body.tools) : []
  const functionField = isJsonObject(tool) ? tool.function : null
  return isJsonObject(functionField)
    ? {
      words: [],
      calls: [{
        index: 0,
        id: "",
        type: "function",
        function: { name: functionField.name, arguments: "{\"city\":\"Pune\"}" }
      }],
      finish: "tool_calls",
      usage: usageChunk(9, 5).usage
    }
    : {
      words: words.slice(0, most),
      calls: [],
      finish: isCut ? "length" : "stop",
      usage: usageChunk(9, Math.min(most, words.length)).usage
    }
}

const smallModel = (request: Seen): ReadonlyArray<Step> => {
  const { calls, finish, usage, words } = saidTo(request)
  const message = { role: "assistant", content: words.join(""), tool_calls: calls }
  if (request.body.stream !== true) return json(whole(message, finish, { usage }))
  return [
    { write: event(chunk({ role: "assistant", content: "" })) },
    ...words.flatMap((content) => [{ write: event(chunk({ content })) }, { pause: 1 }]),
    ...calls.map((call) => ({ write: event(chunk({ tool_calls: [call] })) })),
    { write: events(chunk({}, finish), { ...chunk({}), choices: [], usage }, "[DONE]") },
    "end"
  ]
}

let upstream: FakeUpstream | undefined

/** Number of responses in progress at the upstream, which may take a moment to notice that one was cut off. */
const atWork = Effect.promise(async () => {
  const count = () => upstream?.atWork() ?? 0
  for (let tries = 0; tries < 100 && count() > 0; tries++) await new Promise((done) => setTimeout(done, 5))
  return count()
})

const live = Layer.unwrapScoped(Effect.gen(function*() {
  upstream = yield* fakeUpstream(smallModel)
  return OpenAiModel.layer({ baseUrl: upstream.baseUrl })
}))

languageModelLaws("OpenAiModel", live, { model: "m", atWork })
