import { assert, describe, it } from "@effect/vitest"
import { BadRequest, ModelFailed, ModelRateLimited, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import type { Message } from "@trunkline/models"
import {
  allOf,
  always,
  anyOf,
  lastFrom,
  type Matcher,
  modelIs,
  noneOf,
  systemSays,
  toolAnswered,
  turnIs,
  userGivesDigits,
  userMeans,
  userSays
} from "@trunkline/scripted-model"
import { Duration, Effect } from "effect"
import { agent, ask, asking, piecesOf, request, result, system, user } from "./Fixtures.js"

/** Checks whether a rule with this matcher applies. */
const holds = (when: Matcher, ...messages: ReadonlyArray<Message>) =>
  Effect.map(ask(request(...messages), [{ when, reply: "It holds." }]), ({ text }) => text === "It holds.")

const check = (when: Matcher, yes: ReadonlyArray<Message>, no: ReadonlyArray<Message>) =>
  Effect.gen(function*() {
    assert.isTrue(yield* holds(when, ...yes))
    assert.isFalse(yield* holds(when, ...no))
  })

describe("a rule of the scripted model matches", () => {
  it.effect("by the last message of the user, as a text or a pattern", () =>
    Effect.gen(function*() {
      yield* check(userSays("PRICE"), [user("The price?")], [user("The cost?")])
      yield* check(userSays(/^\d+ apples$/g), [user("12 apples")], [user("12 pears")])
      yield* check(userSays("price"), [user("The price?")], [user("The price?"), agent("Ten")])
    }))

  it.effect("repeatedly, also with a global pattern", () =>
    Effect.gen(function*() {
      const rules = [{ when: userSays(/apples/gy), reply: "Yes" }]
      for (const _ of [1, 2, 3]) assert.strictEqual((yield* ask(request(user("apples")), rules)).text, "Yes")
    }))

  it.effect("by intent, in English or Hindi", () =>
    Effect.gen(function*() {
      yield* check(userMeans("yes"), [user("Yes, of course")], [user("Yesterday")])
      yield* check(userMeans("no"), [user("जी नहीं")], [user("हाँ")])
    }))

  it.effect("by digits, with any spaces", () =>
    Effect.gen(function*() {
      const rules = [{ when: userGivesDigits(4, "code"), reply: "I have {{code}}." }]
      assert.strictEqual((yield* ask(request(user("it is 12 3-4")), rules)).text, "I have 1234.")
      assert.strictEqual((yield* ask(request(user("१२ ३४")), rules)).text, "I have 1234.")
      assert.notInclude((yield* ask(request(user("it is 12 3")), rules)).text, "I have")
    }))

  it.effect("by the instructions, the model, the last message and the turn", () =>
    Effect.gen(function*() {
      yield* check(systemSays(/be (brief|short)/i), [system("Be brief."), user("Well")], [user("Be brief.")])
      assert.isTrue(yield* holds(modelIs("other", "mine"), user("Well")))
      assert.isFalse(yield* holds(modelIs("other"), user("Well")))
      yield* check(lastFrom("assistant"), [user("Well"), agent("Yes")], [user("Well")])
      yield* check(lastFrom(null), [], [user("Well")])
      yield* check(turnIs(2), [user("One"), agent("Yes"), user("Two")], [user("One")])
    }))

  it.effect("by the tool of a result, also if only its call has the name", () =>
    Effect.gen(function*() {
      const messages = [user("Well"), asking("weather"), result("weather", "hot")]
      yield* check(toolAnswered("weather"), messages, [...messages, user("So?")])
      const unnamed = { ...result("weather", "hot"), name: "" }
      assert.isTrue(yield* holds(toolAnswered("weather"), user("Well"), asking("time", "weather"), unnamed))
    }))

  it.effect("by all, any or none of several", () =>
    Effect.gen(function*() {
      yield* check(allOf(userSays("a"), userSays("b")), [user("ab")], [user("a")])
      yield* check(anyOf(userSays("a"), userSays("b")), [user("b")], [user("c")])
      yield* check(noneOf(userSays("a"), userSays("b")), [user("c")], [user("b")])
    }))
})

describe("the words of a rule", () => {
  it.effect("use the results of its matchers", () =>
    Effect.gen(function*() {
      const when = allOf(userSays(/my name is (?<name>\w+)(?<title>, Dr)?/i), userSays(/from (?<city>\w+)/))
      const { text } = yield* ask(request(user("My name is Asha, I am from Pune")), [{
        when,
        reply: "Hello{{ title }} {{name}} of {{city}}, {{unknown}}!"
      }])
      assert.strictEqual(text, "Hello Asha of Pune, {{unknown}}!")
    }))

  it.effect("use variables of the layer and of the rule, and know the turn", () =>
    Effect.gen(function*() {
      const rules = [{
        when: always,
        reply: "{{company}}: {{agent}} heard {{user}} in turn {{turn}} ({{model}}); {{tool}} says {{result}}.",
        variables: { agent: "Ravi" }
      }]
      const variables = { company: "Trunkline", agent: "nobody" }
      const messages = [user("Hi"), asking("balance"), result("balance", `{"amount_due":12,"paid":false}`)]
      assert.strictEqual(
        (yield* ask(request(...messages), rules, { variables })).text,
        "Trunkline: Ravi heard Hi in turn 1 (mine); balance says amount due: 12, paid: false."
      )
    }))

  it.effect("are filled once, and never for a function", () =>
    Effect.gen(function*() {
      const messages = request(user("{{model}}"))
      assert.strictEqual((yield* ask(messages, [{ when: always, reply: "{{user}}" }])).text, "{{model}}")
      const reply = (turn: { readonly userText: string }) => `${turn.userText} {{user}}`
      assert.strictEqual((yield* ask(messages, [{ when: always, reply }])).text, "{{model}} {{user}}")
    }))

  it.effect("pass the matches to a function", () =>
    Effect.gen(function*() {
      const rules = [{
        when: userSays(/(?<count>\d+)/),
        reply: (_turn: unknown, { count = "0" }: Readonly<Record<string, string>>) => `${Number(count) * 2}`
      }]
      assert.strictEqual((yield* ask(request(user("21")), rules)).text, "42")
    }))
})

describe("a rule of the scripted model", () => {
  it.effect("calls several tools, with filled or arbitrary arguments", () =>
    Effect.gen(function*() {
      const { finish, text, toolRequests } = yield* ask(request(user("Pune")), [{
        when: userSays(/(?<place>\w+)/),
        toolCall: [
          { name: "weather", arguments: { place: "{{place}}", days: [1, "{{place}}"], deep: { at: null } } },
          { name: "broken", arguments: `{"place":` },
          { name: "plain" }
        ]
      }])
      assert.deepStrictEqual(toolRequests, [
        { id: "call_1", name: "weather", arguments: `{"place":"Pune","days":[1,"Pune"],"deep":{"at":null}}` },
        { id: "call_2", name: "broken", arguments: `{"place":` },
        { id: "call_3", name: "plain", arguments: "{}" }
      ])
      assert.deepStrictEqual([finish, text], ["tool_calls", ""])
    }))

  it.effect("gives its tool calls new ids", () =>
    Effect.gen(function*() {
      const earlierCalls = ["call_3", "call_2", "x"].map((id) => ({ id, name: "weather", arguments: "{}" }))
      const { toolRequests } = yield* ask(
        request(user("One"), { role: "assistant", content: null, toolRequests: earlierCalls.slice(0, 2) }, user("Two")),
        [{ when: always, toolCall: [{ name: "a" }, { name: "b" }] }]
      )
      assert.deepStrictEqual(toolRequests.map(({ id }) => id), ["call_4", "call_5"])
    }))

  it.effect("has the configured reasoning, refusal and finish reason", () =>
    Effect.gen(function*() {
      const thinking = yield* ask(request(user("Hi")), [{ when: always, reasoning: "They say {{user}}.", reply: "Hi" }])
      assert.deepStrictEqual([thinking.reasoning, thinking.text, thinking.finish], ["They say Hi.", "Hi", "stop"])
      const refusing = yield* ask(request(user("Hi")), [{ when: always, refusal: "I must not." }])
      assert.deepStrictEqual([refusing.refusal, refusing.text, refusing.finish], ["I must not.", "", "stop"])
      for (const finish of ["content_filter", "length", "tool_calls"] as const) {
        assert.strictEqual((yield* ask(request(user("Hi")), [{ when: always, reply: "So", finish }])).finish, finish)
      }
    }))

  it.effect("leaves the text to the default behaviour if it has only reasoning or a finish reason", () =>
    Effect.gen(function*() {
      const rule = { when: always, reasoning: "Hm.", finish: "length" as const }
      const { finish, reasoning, text } = yield* ask(request(user("It rains")), [rule])
      assert.deepStrictEqual([reasoning, text, finish], ["Hm.", "You said: It rains", "length"])
    }))

  it.effect("fails with every kind of failure", () =>
    Effect.forEach([
      new ModelUnavailable({ message: "a" }),
      new ModelFailed({ message: "b" }),
      new ModelRateLimited({ message: "c", retryAfter: Duration.seconds(2) }),
      new ModelTimedOut({ message: "d" }),
      new BadRequest({ message: "e", param: null })
    ], (error) =>
      Effect.gen(function*() {
        const rules = [{ when: always, error, reply: "never said" }]
        const { message } = error
        assert.include(yield* Effect.flip(ask(request(user("Hi")), rules)), { _tag: error._tag, message })
        const { failure, pieces } = yield* piecesOf(request(user("Hi")), rules)
        assert.deepStrictEqual([failure?._tag, pieces], [error._tag, []])
      })))

  it.effect("fails after a number of words", () =>
    Effect.gen(function*() {
      const error = new ModelFailed({ message: "gone" })
      const rules = (failsAfter: number) => [{
        when: always,
        error,
        failsAfter,
        reasoning: "Let me see.",
        reply: "One two three",
        toolCall: { name: "four" }
      }]
      for (const [words, text] of [[0, ""], [1, "One"], [2, "One two"]] as const) {
        const { failure, pieces } = yield* piecesOf(request(user("Hi")), rules(words))
        assert.strictEqual(failure?.message, "gone")
        assert.strictEqual(pieces.map((piece) => piece._tag === "Text" ? piece.text : "").join(""), text)
        assert.isFalse(pieces.some(({ _tag }) => _tag === "Finish" || _tag === "ToolStart"))
        assert.strictEqual((yield* Effect.flip(ask(request(user("Hi")), rules(words)))).message, "gone")
      }
      const { failure, pieces } = yield* piecesOf(request(user("Hi")), rules(9))
      assert.strictEqual(failure?.message, "gone")
      assert.deepStrictEqual(pieces.slice(-2).map(({ _tag }) => _tag), ["ToolStart", "ToolArgs"])
    }))
})
