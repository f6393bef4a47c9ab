import { assert, describe, it } from "@effect/vitest"
import type { Message, ModelRequest } from "@trunkline/models"
import { Effect } from "effect"
import { agent, ask, asking, request, result, system, user } from "./Fixtures.js"

const million = 1_000_000

/** Texts that patterns could stumble over. */
const texts: Readonly<Record<string, string>> = {
  letters: "a".repeat(million),
  devanagari: "क".repeat(million),
  blanks: " ".repeat(million),
  digits: "1".repeat(million),
  commas: "1,".repeat(million / 2),
  braces: "{{".repeat(million / 2),
  quotes: "\"\\".repeat(million / 2),
  faces: "👋".repeat(million / 2),
  halves: "\ud83d".repeat(million),
  breaks: "\n".repeat(million),
  sentences: ". ".repeat(million / 2)
}

const schema = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`field_${index}`, { type: "string", description: "x".repeat(200) }])
  )
}

const tools = Array.from({ length: 128 }, (_, index) => ({
  name: `tool_${index}`,
  description: "word ".repeat(5_000),
  parameters: schema
}))

const onThePhone = [{ name: "end_call" }, { name: "set_variables", parameters: schema }]

/** The answer, of which nothing may be long and nothing may have taken long: quadratic work on these takes minutes. */
const bounded = (modelRequest: ModelRequest) =>
  Effect.gen(function*() {
    const { reasoning, text, toolRequests } = yield* ask(modelRequest)
    assert.isBelow(reasoning.length, 2_000)
    assert.isBelow(text.length, 5_000)
    assert.isBelow(toolRequests.length, 5)
    for (const { arguments: args } of toolRequests) assert.isBelow(args.length, 250_000)
  })

describe("the scripted model does not choke on", () => {
  for (const [name, text] of Object.entries(texts)) {
    it.effect(`a million ${name}`, () =>
      Effect.forEach([
        request(user(text)),
        { ...request(user(text)), model: "model-g" },
        { ...request(user(text)), tools, toolChoice: "required" as const },
        { ...request(user(text)), tools: onThePhone },
        { ...request(agent("May I know your field 0?"), user(text)), tools: onThePhone },
        { ...request(system(text), agent(text)), tools: onThePhone },
        { ...request(user(text)), format: { type: "json" as const } },
        request(user("So?"), asking("tool"), result("tool", text)),
        request(user("So?"), asking("tool"), result("tool", JSON.stringify({ [text]: text })))
      ], bounded))
  }

  it.effect("ten thousand messages", () =>
    Effect.gen(function*() {
      const messages = Array.from({ length: 10_000 }, (_, index): Message =>
        [system("Be brief."), user("Well?"), asking("tool"), result("tool", `{"a":1}`)][index % 4] ?? user(""))
      yield* bounded(request(...messages))
      yield* bounded({ ...request(...messages), tools: onThePhone })
      yield* bounded({ ...request(...messages, user("So?")), tools, model: "core-105b" })
      const results = Array.from({ length: 10_000 }, () =>
        result("tool", `{"a":1}`))
      yield* bounded(request(user("So?"), ...results))
    }))

  it.effect("a schema without end, which keeps its order no more", () =>
    Effect.gen(function*() {
      const deep = Array.from({ length: 500 }).reduce<Readonly<Record<string, unknown>>>(
        (inner) => ({ description: "b", allOf: [inner] }),
        { type: "object" }
      )
      const format = { type: "schema", name: "deep", strict: false, schema: deep } as const
      yield* bounded({ ...request(user("Well")), format })
    }))
})
