import { assert, describe, it } from "@effect/vitest"
import { ModelTimedOut } from "@trunkline/errors"
import {
  appendDelta,
  emptyCompletion,
  LanguageModel,
  type Message,
  messageText,
  type ModelRequest
} from "@trunkline/models"
import { always, ScriptedModel, type ScriptedRule, toolAnswered, userSays } from "@trunkline/scripted-model"
import { Effect, Fiber, Stream, TestClock } from "effect"

const user = (content: string): Message => ({ role: "user", content })
const agent = (content: string): Message => ({ role: "assistant", content, toolRequests: [] })
const request = (...messages: ReadonlyArray<Message>): ModelRequest => ({ model: "core-105b", messages })
const call = (...messages: ReadonlyArray<Message>): ModelRequest => ({
  ...request(...messages),
  tools: [{ name: "end_call" }, {
    name: "set_variables",
    parameters: {
      type: "object",
      properties: { amount: { type: "integer", description: "how much you can pay" }, agreed: { type: "boolean" } }
    }
  }]
})

const ask = (request: ModelRequest, rules: ReadonlyArray<ScriptedRule> = []) =>
  Effect.flatMap(LanguageModel, (model) => model.generate(request)).pipe(
    Effect.provide(ScriptedModel.layer(rules))
  )

const silence: ReadonlyArray<Message> = []

/** Lets the model talk with a caller who says these things; gives all messages. */
const talk = (...lines: ReadonlyArray<string>) =>
  Effect.reduce(
    lines,
    silence,
    (messages, line) =>
      Effect.map(ask(call(...messages, user(line))), (answer): ReadonlyArray<Message> => [
        ...messages,
        user(line),
        { role: "assistant", content: answer.text, toolRequests: answer.toolRequests },
        ...answer.toolRequests.map(({ id, name }): Message => ({
          role: "tool",
          toolRequestId: id,
          name,
          content: "done"
        }))
      ])
  )

const toolsOf = (messages: ReadonlyArray<Message>) =>
  messages.flatMap((message) => message.role === "assistant" ? message.toolRequests : [])
    .map((tool) => `${tool.name} ${tool.arguments}`)

describe("the rules of the scripted model", () => {
  it.effect("are tried in order", () =>
    Effect.gen(function*() {
      const rules = [{ when: userSays("price"), reply: "Ten" }, { when: always, reply: "What?" }]
      assert.strictEqual((yield* ask(request(user("The PRICE, please")), rules)).text, "Ten")
      assert.strictEqual((yield* ask(request(user("Hm")), rules)).text, "What?")
    }))

  it.effect("call a tool, and see its result", () =>
    Effect.gen(function*() {
      const rules: ReadonlyArray<ScriptedRule> = [
        { when: toolAnswered("weather"), reply: ({ toolResult }) => `It is ${toolResult?.content}` },
        { when: always, toolCall: { name: "weather", arguments: { place: "Pune" } } }
      ]
      const first = yield* ask(request(user("Weather?")), rules)
      assert.deepStrictEqual(first.toolRequests, [{ id: "call_1", name: "weather", arguments: `{"place":"Pune"}` }])
      assert.strictEqual(first.finish, "tool_calls")
      const result: Message = { role: "tool", toolRequestId: "call_1", name: "weather", content: "hot" }
      assert.strictEqual((yield* ask(request(user("Weather?"), result), rules)).text, "It is hot")
    }))

  it.effect("fail as configured", () =>
    Effect.gen(function*() {
      const error = new ModelTimedOut({ message: "too slow" })
      const failure = yield* Effect.flip(ask(request(user("Hi")), [{ when: always, error }]))
      assert.deepStrictEqual([failure._tag, failure.message], ["ModelTimedOut", "too slow"])
    }))

  it.effect("can only slow the model down", () =>
    Effect.gen(function*() {
      const answer = yield* Effect.fork(ask(request(user("Well")), [{ when: always, delay: "2 seconds" }]))
      yield* TestClock.adjust("1 second")
      assert.isNull(yield* Fiber.poll(answer).pipe(Effect.map((exit) => exit._tag === "None" ? null : exit)))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(answer)).text, "You said: Well")
    }))

  it.effect("stream the same completion", () =>
    Effect.gen(function*() {
      const model = yield* LanguageModel
      const messages = call(user("Hello"))
      const deltas = yield* Stream.runCollect(model.stream(messages))
      assert.deepStrictEqual([...deltas].reduce(appendDelta, emptyCompletion), yield* model.generate(messages))
    }).pipe(Effect.provide(ScriptedModel.layer())))
})

describe("the scripted model on the phone", () => {
  it.effect("asks for the value, records it and says goodbye", () =>
    Effect.gen(function*() {
      const messages = yield* talk("Hello", "about 1,500 rupees", "yes")
      assert.deepStrictEqual(toolsOf(messages), [
        `set_variables {"amount":1500}`,
        `set_variables {"agreed":true}`,
        "end_call {}"
      ])
      assert.include(messageText(messages[1] ?? agent("")), "how much you can pay")
    }))

  it.effect("asks again when the reply has no value", () =>
    Effect.gen(function*() {
      const messages = yield* talk("Hello", "I do as I please")
      assert.deepStrictEqual(toolsOf(messages), [])
      assert.include(messageText(messages.at(-1) ?? agent("")), "how much you can pay")
    }))

  it.effect("replies in Hindi to Hindi", () =>
    Effect.gen(function*() {
      assert.match((yield* ask(call(user("नमस्ते")))).text, /कृपया/)
      assert.match((yield* ask(call(agent("नमस्ते जी")))).text, /बताइए/)
    }))

  it.effect("ends the call when the caller says goodbye or has no time", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(toolsOf(yield* talk("Goodbye!")), ["end_call {}"])
      assert.deepStrictEqual(toolsOf(yield* talk("बाद में फोन कीजिए")), ["request_callback {}", "end_call {}"])
    }))

  it.effect("gives up after some questions", () =>
    Effect.gen(function*() {
      assert.include(toolsOf(yield* talk(...Array.from({ length: 12 }, () => "Why?"))), "end_call {}")
    }))

  it.effect("reports tool results", () =>
    Effect.gen(function*() {
      const result: Message = { role: "tool", toolRequestId: "1", name: "balance", content: `{"amount_due":12}` }
      assert.include((yield* ask(call(user("How much?"), result))).text, "amount due: 12")
    }))

  it.effect("respects tool_choice", () =>
    Effect.gen(function*() {
      const none = yield* ask({ ...call(user("Goodbye!")), toolChoice: "none" })
      assert.deepStrictEqual([none.toolRequests, none.finish], [[], "stop"])
      assert.include(none.text, "Goodbye")
      const demanded = yield* ask({ ...call(user("Goodbye!")), toolChoice: { name: "set_variables" } })
      assert.deepStrictEqual(demanded.toolRequests.map(({ name }) => name), ["set_variables"])
    }))

  it.effect("records numbers and words of limited length", () =>
    Effect.gen(function*() {
      const wants = (type: string): ModelRequest => ({
        ...request(user("Hello"), agent("May I know your thing?"), user(`1${"0".repeat(400)}`)),
        tools: [{ name: "end_call" }, {
          name: "set_variables",
          parameters: { type: "object", properties: { thing: { type } } }
        }]
      })
      const number = yield* ask(wants("number"))
      assert.strictEqual(number.toolRequests[0]?.arguments, `{"thing":${10 ** 14}}`)
      const text = yield* ask({
        ...wants("string"),
        messages: [agent("May I know your thing?"), user("a".repeat(1e6))]
      })
      assert.isBelow(text.toolRequests[0]?.arguments.length ?? Infinity, 1_000)
    }))
})
