import { assert, describe, it } from "@effect/vitest"
import type { Message, ModelRequest, ModelTool } from "@trunkline/models"
import { Effect } from "effect"
import { ask, asking, request, result, user } from "./Fixtures.js"

const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] }

const tools: ReadonlyArray<ModelTool> = [
  { name: "get_weather", description: "Tells the weather in a city.", parameters: city },
  { name: "getTrainTimes", description: "Departures of trains between two stations." },
  { name: "search", description: "Looks something up in the archive of old newspapers." },
  { name: "weather_history", description: "Tells what the weather was." }
]

const toolsFor = (changes: Partial<ModelRequest>, ...messages: ReadonlyArray<Message>) =>
  Effect.map(
    ask({ ...request(...messages), tools, ...changes }),
    ({ toolRequests }) => toolRequests.map(({ name }) => name)
  )

describe("the scripted model with tools", () => {
  it.effect("calls the one whose name matches the message", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* toolsFor({}, user("What's the weather in Pune?")), ["get_weather"])
      assert.deepStrictEqual(yield* toolsFor({}, user("Are there any trains?")), ["getTrainTimes"])
    }))

  it.effect("calls one that shares two words of its description, not one", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* toolsFor({}, user("Are old newspapers kept?")), ["search"])
      assert.deepStrictEqual(yield* toolsFor({}, user("I read newspapers")), [])
    }))

  it.effect("calls none for stop words or a greeting", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* toolsFor({}, user("What can you get and look up for me?")), [])
      const { finish, text } = yield* ask({ ...request(user("Hello")), tools })
      assert.match(text, /^Hello/)
      assert.strictEqual(finish, "stop")
    }))

  it.effect("has arguments that satisfy the schema of the tool, and an empty object without one", () =>
    Effect.gen(function*() {
      const { finish, text, toolRequests } = yield* ask({
        ...request(user("The weather in Pune, and the trains?")),
        tools
      })
      const [weather, trains] = toolRequests
      assert.isString(JSON.parse(weather?.arguments ?? "").city)
      assert.deepStrictEqual([trains?.arguments, trains?.id, finish, text], ["{}", "call_2", "tool_calls", ""])
    }))

  it.effect("takes arguments from the message of the user", () =>
    Effect.gen(function*() {
      const parameters = {
        type: "object",
        properties: { city: { type: "string", enum: ["Pune", "Delhi", "Chennai"] }, days: { type: "integer" } },
        required: ["city", "days"]
      }
      const { toolRequests } = yield* ask({
        ...request(user("What will the weather be in Chennai in the next 4 days?")),
        tools: [{ name: "get_weather", parameters }]
      })
      assert.deepStrictEqual(JSON.parse(toolRequests[0]?.arguments ?? ""), { city: "Chennai", days: 4 })
    }))

  it.effect("calls several at once, or one after the other without parallel tool calls", () =>
    Effect.gen(function*() {
      const both = user("The weather in Pune, and the trains?")
      assert.deepStrictEqual(yield* toolsFor({}, both), ["get_weather", "getTrainTimes"])
      const single = { parallelTools: false }
      assert.deepStrictEqual(yield* toolsFor(single, both), ["get_weather"])
      const first = [both, asking("get_weather"), result("get_weather", "hot")]
      assert.deepStrictEqual(yield* toolsFor(single, ...first), ["getTrainTimes"])
      const second = [...first, asking("getTrainTimes"), result("getTrainTimes", "at noon")]
      assert.deepStrictEqual(yield* toolsFor(single, ...second), [])
    }))

  it.effect("does not repeat a call with a result, until the next message of the user", () =>
    Effect.gen(function*() {
      const answered = [user("The weather?"), asking("get_weather"), result("get_weather", "hot")]
      assert.deepStrictEqual(yield* toolsFor({}, ...answered), [])
      assert.deepStrictEqual(yield* toolsFor({}, ...answered, user("And the weather now?")), ["get_weather"])
    }))

  it.effect("calls the required one: the named one, or the best match", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* toolsFor({ toolChoice: { name: "search" } }, user("Hello")), ["search"])
      assert.deepStrictEqual(yield* toolsFor({ toolChoice: { name: "unheard_of" } }, user("Hello")), ["unheard_of"])
      const required = { toolChoice: "required" } as const
      assert.deepStrictEqual(yield* toolsFor(required, user("I read newspapers")), ["search"])
      assert.deepStrictEqual(yield* toolsFor(required, user("Hello")), ["get_weather"])
      assert.deepStrictEqual(yield* toolsFor({ ...required, tools: [] }, user("Hello")), [])
      const answered = [user("The weather?"), asking("get_weather"), result("get_weather", "hot")]
      assert.lengthOf(yield* toolsFor(required, ...answered), 1)
    }))

  it.effect("calls none with tool_choice none", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* toolsFor({ toolChoice: "none" }, user("The weather in Pune?")), [])
    }))

  it.effect("calls tools before it completes a schema", () =>
    Effect.gen(function*() {
      const format = { type: "json" } as const
      assert.deepStrictEqual(yield* toolsFor({ format }, user("The weather in Pune?")), ["get_weather"])
    }))
})
