import { assert, describe, it } from "@effect/vitest"
import { Conversation, ConversationTapes } from "@trunkline/conversation"
import { testCallBrief } from "@trunkline/conversation/testing"
import { PhoneNumber } from "@trunkline/kernel"
import { decodeTrace, maxTrace, RedactRule, traceTapes } from "@trunkline/replay"
import { ScriptedModel } from "@trunkline/scripted-model"
import { CallHandler, type Leg } from "@trunkline/telephony"
import { Effect, Either, FastCheck as fc, Fiber, Layer, Schema } from "effect"
import { agentVersion, catalogOf, holdTraced, modelOf, readTrace, replayed, use } from "./Fixtures.js"

const version = agentVersion({ prompt: "You remind {{name}}.", first_message: "Hello {{name}}." })

const reasonOf = (text: string): string =>
  Either.match(decodeTrace(text), { onLeft: ({ message }) => message, onRight: () => "" })

const held = holdTraced({ version, lines: ["I have paid", "goodbye"], brief: { agent_variables: { name: "Asha" } } })

describe("the text of a trace", () => {
  it.effect("is refused where it is no trace, is newer, or is cut off", () =>
    Effect.gen(function*() {
      const { text } = yield* held
      const lines = text.trimEnd().split("\n")
      assert.include(reasonOf(""), "no header of a trace")
      assert.include(reasonOf(`{"some":"file"}\n`), "no header of a trace")
      assert.include(reasonOf("\u0000\u0001PNG"), "no header of a trace")
      assert.include(reasonOf(text.replace(`"version":1`, `"version":7`)), "version 7")
      assert.include(reasonOf(lines.slice(0, -1).join("\n")), "cut off before its end")
      assert.include(reasonOf(text.slice(0, text.length - 20)), "cut off before its end")
      assert.include(
        reasonOf([lines[0], `{"at":1,"event":{"_tag":"Magic"}}`, lines.at(-1)].join("\n")),
        "line 2 is wrong"
      )
      assert.include(reasonOf([`{"trace":"trunkline","version":1}`, lines.at(-1)].join("\n")), "the header is wrong")
      assert.include(reasonOf("x".repeat(5_000_000)), "longer than")
    }))

  it.effect("never throws, whatever is read", () =>
    Effect.map(held, ({ text }) =>
      fc.assert(fc.property(fc.string(), fc.nat(2_000), (junk, at) => {
        decodeTrace(text.slice(0, at) + junk + text.slice(at))
      }))))

  it.effect("is bounded: what is left out is said, and the replay stops there", () =>
    Effect.gen(function*() {
      const model = modelOf(({ messages }) =>
        messages.length > 40 ? use("end_call") : { text: `Listen. ${"very ".repeat(300)}` }
      )
      const lines = Array.from({ length: 60 }, () => "x".repeat(60_000))
      const { text } = yield* holdTraced({ version: agentVersion(), lines, model, wordsPerSecond: 100 })
      assert.isBelow(text.length, 4 * maxTrace)
      const trace = readTrace(text)
      assert.isFalse(trace.end.is_whole)
      const replay = yield* replayed(trace, agentVersion())
      assert.strictEqual(replay.status, "open")
      assert.strictEqual(replay.divergence?.reason, "the trace was cut off here")
    }))
})

describe("a call that is cut", () => {
  it.live("leaves a trace of what was before", () =>
    Effect.gen(function*() {
      let text = ""
      const tapes = traceTapes({ redact: [], keep: (_, trace) => Effect.sync(() => void (text = trace)) })
      const leg: Leg = {
        say: ({ text }) => Effect.succeed({ heard: text, interrupted: false }),
        listen: () => Effect.never,
        hangUp: Effect.void
      }
      const handler = Layer.provide(Conversation.layer, [
        Layer.succeed(ConversationTapes, tapes),
        catalogOf(version),
        ScriptedModel.layer()
      ])
      const call = Effect.flatMap(CallHandler, ({ handle }) =>
        handle(leg, { ...testCallBrief, agent_variables: { name: "Asha" } }))
      const fiber = yield* Effect.fork(Effect.provide(call, handler))
      yield* Effect.sleep("20 millis")
      yield* Fiber.interrupt(fiber)
      const trace = readTrace(text)
      assert.strictEqual(trace.end.report.transcript[0]?.en_text, "Hello Asha.")
      assert.strictEqual((yield* replayed(trace, version)).divergence?.reason, "the trace was cut off here")
    }))
})

describe("rules of redaction", () => {
  const said = [
    "I am Asha, my number is +91 98765 43210",
    "write to asha.k@example.com, card 4111 1111 1111 1111",
    "again 9876543210, account ACC-77, due 2026-12-01, key sk_live_abcdefghijkl"
  ]
  const call = {
    version,
    lines: said,
    brief: {
      agent_variables: { name: "Asha", due: "2026-12-01" },
      user_phone_number: PhoneNumber.make("+919876543210")
    }
  }
  const rules = ["phone_numbers", "emails", "card_numbers", { variable: "name" }, {
    pattern: "ACC-\\d+",
    name: "account"
  }] as const

  it.effect("leave values out of all lines before anything is stored, the same one by the same words", () =>
    Effect.gen(function*() {
      const { text } = yield* holdTraced({ ...call, redact: rules })
      for (const secret of ["Asha", "98765", "43210", "example.com", "4111", "ACC-77", "abcdefghijkl"]) {
        assert.notInclude(text, secret)
      }
      assert.include(text, "[name 1]")
      assert.include(text, "[email 1]")
      assert.include(text, "[account 1]")
      assert.include(text, "2026-12-01")
    }))

  it("have no regular expression that could take very long", () => {
    const isRule = (pattern: string) => Schema.is(RedactRule)({ pattern, name: "account" })
    for (const pattern of ["ACC-[0-9]+", "[A-Z]{2}\\d{6,10}", "(?:ACC|CUST)-\\d+", "\\bAsha\\b", "\\w+ of \\w+"]) {
      assert.isTrue(isRule(pattern), pattern)
    }
    for (const pattern of ["(a+)+$", "(a|aa)+b", "(\\d+-?)*x", "(x)\\1+"]) assert.isFalse(isRule(pattern), pattern)
  })

  it.effect("leave a trace that still replays", () =>
    Effect.gen(function*() {
      const { text } = yield* holdTraced({ ...call, redact: rules })
      const replay = yield* replayed(readTrace(text), version)
      assert.deepStrictEqual(replay.differences, [])
      assert.strictEqual(replay.status, "same")
    }))

  it.effect("always leave out the number of the caller and what looks like a key", () =>
    Effect.gen(function*() {
      const { text } = yield* holdTraced({ ...call, redact: [] })
      assert.notInclude(text, "+919876543210")
      assert.notInclude(text, "abcdefghijkl")
      assert.include(text, "Asha")
    }))
})
