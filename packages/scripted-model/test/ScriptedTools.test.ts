import { assert, describe, it } from "@effect/vitest"
import type { Message, ModelRequest, ModelTool } from "@trunkline/models"
import { Effect } from "effect"
import { ask, asking, request, result, user } from "./fixtures.js"

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
  it.effect("asks for the one whose name says what the user wants", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* toolsFor({}, user("What's the weather in Pune?")), ["get_weather"])
      assert.deepStrictEqual(yield* toolsFor({}, user("Are there any trains?")), ["getTrainTimes"])
    }))

  it.effect("asks for one by two words of its description, not by one", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* toolsFor({}, user("Are old newspapers kept?")), ["search"])
      assert.deepStrictEqual(yield* toolsFor({}, user("I read newspapers")), [])
    }))

  it.effect("asks for none by words that say nothing, nor for a greeting", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* toolsFor({}, user("What can you get and look up for me?")), [])
      const { finish, text } = yield* ask({ ...request(user("Hello")), tools })
      assert.match(text, /^Hello/)
      assert.strictEqual(finish, "stop")
    }))

  it.effect("gives arguments that the tool's schema asks for, and an empty object without one", () =>
    Effect.gen(function*() {
      const { finish, text, toolRequests } = yield* ask({
        ...request(user("The weather in Pune, and the trains?")),
        tools
      })
      const [weather, trains] = toolRequests
      assert.isString(JSON.parse(weather?.arguments ?? "").city)
      assert.deepStrictEqual([trains?.arguments, trains?.id, finish, text], ["{}", "call_2", "tool_calls", ""])
    }))

  it.effect("takes arguments from what the user says", () =>
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

  it.effect("asks for several at once unless that is unwanted, and then one after the other", () =>
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

  it.effect("does not ask again for what was just answered, but does after the user's next words", () =>
    Effect.gen(function*() {
      const answered = [user("The weather?"), asking("get_weather"), result("get_weather", "hot")]
      assert.deepStrictEqual(yield* toolsFor({}, ...answered), [])
      assert.deepStrictEqual(yield* toolsFor({}, ...answered, user("And the weather now?")), ["get_weather"])
    }))

  it.effect("asks for what it must: the named one, or the nearest", () =>
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

  it.effect("asks for none when it must not", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* toolsFor({ toolChoice: "none" }, user("The weather in Pune?")), [])
    }))

  it.effect("asks before it writes in the form that is wanted", () =>
    Effect.gen(function*() {
      const format = { type: "json" } as const
      assert.deepStrictEqual(yield* toolsFor({ format }, user("The weather in Pune?")), ["get_weather"])
    }))
})
