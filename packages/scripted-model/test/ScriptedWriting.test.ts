import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import type { AnswerFormat, Message, ModelRequest } from "@trunkline/models"
import { Effect, FastCheck } from "effect"
import { agent, ask, asking, request, result, user } from "./Fixtures.js"

const textFor = (...messages: ReadonlyArray<Message>) => Effect.map(ask(request(...messages)), ({ text }) => text)
const seeded = (modelRequest: ModelRequest, seed: number) => ask({ ...modelRequest, sampling: { seed } })

const person: AnswerFormat = {
  type: "schema",
  name: "person",
  strict: true,
  schema: {
    type: "object",
    properties: {
      name: { type: "string" },
      age: { type: "integer" },
      tags: { type: "array", items: { type: "string" } }
    },
    required: ["name", "age", "tags"],
    additionalProperties: false
  }
}

/** The same JSON value, with the fields of all objects in the opposite order. */
const reversed = <A>(value: A): A =>
  JSON.parse(
    JSON.stringify(value, (_key, item: unknown) =>
      typeof item === "object" && item !== null && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).toReversed())
        : item)
  )

describe("the text of the scripted model", () => {
  it.effect("returns greetings, thanks and goodbyes in their language", () =>
    Effect.gen(function*() {
      assert.match(yield* textFor(user("Hello!")), /^Hello!/)
      assert.match(yield* textFor(user("thank you very much")), /welcome/)
      assert.match(yield* textFor(user("Thanks, bye")), /^Goodbye/)
      assert.match(yield* textFor(user("नमस्ते जी")), /^नमस्ते/)
      assert.match(yield* textFor(user("Shukriya")), /स्वागत/)
      assert.match(yield* textFor(user("ठीक है, अलविदा")), /ध्यान/)
    }))

  it.effect("considers at most four words a greeting", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* textFor(user("Hello, how much is a ticket?")),
        "You said: Hello, how much is a ticket?"
      )
    }))

  it.effect("repeats the message, and claims nothing else", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* textFor(user(" It rains. ")), "You said: It rains.")
      assert.strictEqual(yield* textFor(user("आज बारिश हो रही है क्या")), "आपने कहा: आज बारिश हो रही है क्या")
      assert.strictEqual(yield* textFor(user("It rains."), agent("Oh")), "You said: It rains.")
      assert.strictEqual(yield* textFor({ role: "other", as: "critic", content: "Too long" }), "You said: Too long")
      assert.strictEqual(yield* textFor(), "Hello.")
      assert.strictEqual(yield* textFor(user("  ")), "Hello.")
    }))

  it.effect("quotes the beginning and the end of a long message", () =>
    Effect.gen(function*() {
      const long = `It begins here. ${"And so on. ".repeat(10_000)}Does it end here?`
      assert.strictEqual(yield* textFor(user(long)), "You said: It begins here. … Does it end here?")
    }))

  it.effect("mentions the images of a message", () =>
    Effect.gen(function*() {
      const image = { type: "image", mediaType: "image/png", base64: "" } as const
      const words = { type: "text", text: "Look at this." } as const
      assert.strictEqual(
        yield* textFor({ role: "user", content: [words, image] }),
        "You said: Look at this. I was given an image (image/png)."
      )
      assert.include(yield* textFor({ role: "user", content: [image, image] }), "2 images")
    }))

  it.effect("describes tool results", () =>
    Effect.gen(function*() {
      const resultText = `{"city":"Pune","now":{"temperature_c":31,"wind":null},"days":[1,2,3],"none":[]}`
      assert.strictEqual(
        yield* textFor(user("Weather?"), asking("weather"), result("weather", resultText)),
        "This is what weather found: city: Pune, now: (temperature c: 31, wind: null), days: (1, 2, 3), none: ()"
      )
      assert.strictEqual(
        yield* textFor(
          user("मौसम?"),
          asking("weather", "time"),
          result("weather", "hot"),
          { ...result("time", "[12,30]"), name: "" }
        ),
        "weather से यह पता चला: hot\ntime से यह पता चला: 12, 30"
      )
    }))

  it.effect("describes part of a long result", () =>
    Effect.gen(function*() {
      const items = Array.from({ length: 500 }, (_, index) => ({ index }))
      const text = yield* textFor(user("So?"), asking("list"), result("list", JSON.stringify(items)))
      assert.include(text, "index: 11, and 488 more")
      const deep = `${"[".repeat(2_000)}${"]".repeat(2_000)}`
      assert.include(yield* textFor(user("So?"), asking("list"), result("list", deep)), "…")
      const huge = yield* textFor(user("So?"), asking("list"), result("list", `"${"x".repeat(1e6)}"`))
      assert.isBelow(huge.length, 1_100)
    }))
})

describe("a seed", () => {
  const requests = [
    request(user("Hello")),
    request(user("Thanks")),
    request(user("अलविदा")),
    request(user("It rains and rains")),
    request(user("Weather?"), asking("weather"), result("weather", "hot"))
  ]

  it.effect("repeats a completion, and another seed varies it", () =>
    Effect.forEach(requests, (modelRequest) =>
      Effect.gen(function*() {
        const [plain, zero, one, again, two] = yield* Effect.all([
          ask(modelRequest),
          seeded(modelRequest, 0),
          seeded(modelRequest, 1),
          seeded(modelRequest, 1),
          seeded(modelRequest, 2)
        ])
        assert.strictEqual(zero.text, plain.text)
        assert.deepStrictEqual(again, one)
        assert.strictEqual(new Set([zero.text, one.text, two.text]).size, 3)
      })))

  it.effect.prop(
    "may be any integer",
    [FastCheck.double(), FastCheck.maxSafeInteger()],
    ([any, whole]) =>
      Effect.gen(function*() {
        for (const seed of [any, whole]) {
          assert.match((yield* seeded(request(user("It rains and rains")), seed)).text, /: It rains and rains$/)
        }
      }),
    { fastCheck: { numRuns: propertyRuns(20) } }
  )

  it.effect("is independent of the order of fields in the request", () =>
    Effect.gen(function*() {
      const fullRequest: ModelRequest = {
        model: "model-d",
        messages: [{ role: "user", content: "My name is Asha and I am 31", name: "Asha" }],
        format: person,
        logprobs: 2,
        sampling: { seed: 7, temperature: 1 }
      }
      const { format: _, ...plain } = fullRequest
      const tools = [{ name: "save_person", description: "Saves a person", parameters: person.schema }]
      const calling: ModelRequest = { ...plain, tools, toolChoice: "required" }
      for (const modelRequest of [fullRequest, plain, calling]) {
        assert.deepStrictEqual(yield* ask(reversed(modelRequest)), yield* ask(modelRequest))
      }
    }))
})

describe("the format of a completion", () => {
  it.effect("is a JSON object with the text if JSON is requested", () =>
    Effect.gen(function*() {
      const { finish, text } = yield* ask({ ...request(user("It rains \"here\"")), format: { type: "json" } })
      assert.deepStrictEqual(JSON.parse(text), { answer: "You said: It rains \"here\"" })
      assert.strictEqual(finish, "stop")
      const resultRequest = request(user("So?"), asking("weather"), result("weather", `{"sky":"clear"}`))
      const { text: reply } = yield* ask({ ...resultRequest, format: { type: "json" } })
      assert.deepStrictEqual(JSON.parse(reply), { answer: "This is what weather found: sky: clear" })
    }))

  it.effect("is a value of the schema if there is one", () =>
    Effect.gen(function*() {
      const { text } = yield* ask({ ...request(user("I am Asha")), format: person })
      const value = JSON.parse(text)
      assert.hasAllKeys(value, ["name", "age", "tags"])
      assert.isString(value.name)
      assert.isTrue(Number.isInteger(value.age))
    }))

  it.effect("has values of tool results", () =>
    Effect.gen(function*() {
      const schema = { type: "object", properties: { sky: { enum: ["grey", "clear"] } }, required: ["sky"] }
      const { text } = yield* ask({
        ...request(user("So?"), asking("weather"), result("weather", `{"sky":"clear"}`)),
        format: { type: "schema", name: "sky", strict: true, schema }
      })
      assert.strictEqual(text, `{"sky":"clear"}`)
    }))

  it.effect("is plain text by default", () =>
    Effect.gen(function*() {
      const { text } = yield* ask({ ...request(user("It rains")), format: { type: "text" } })
      assert.strictEqual(text, "You said: It rains")
    }))
})
