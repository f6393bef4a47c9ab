import { assert, describe } from "@effect/vitest"
import { Agent, AgentCatalog } from "@trunkline/agents"
import { Conversation } from "@trunkline/conversation"
import { runTestCall, scriptedLeg, testCallBrief } from "@trunkline/conversation/testing"
import { virtualTest } from "@trunkline/kernel/testing"
import { ScriptedModel } from "@trunkline/scripted-model"
import { CallHandler } from "@trunkline/telephony"
import { Duration, Effect, Layer } from "effect"
import { saidOn, scriptAgent, turnsOf } from "./Fixtures.js"

const variables = { agent_variables: { customer_name: "Asha", amount: 4500 } }
const call = (options: Omit<Parameters<typeof runTestCall>[0], "version">, changes: object = {}) =>
  runTestCall({ version: scriptAgent(changes), ...options, brief: { ...variables, ...options.brief } }).pipe(
    Effect.provide(ScriptedModel.layer())
  )

describe("the ear of a line", () => {
  virtualTest("is told which phrases a step of a script expects, when the step changes", () =>
    Effect.gen(function*() {
      const told: Array<ReadonlyArray<string>> = []
      const { leg } = yield* scriptedLeg(["What?", "Yes, speaking", "On the 15th"])
      const { handle } = yield* CallHandler
      yield* handle(
        { ...leg, expect: (phrases) => Effect.sync(() => void told.push(phrases)) },
        { ...testCallBrief, ...variables }
      )
      assert.deepStrictEqual(told[0], [
        "call me later",
        "busy",
        "बाद में",
        "wrong number",
        "no",
        "नहीं",
        "गलत नंबर",
        "yes",
        "speaking",
        "हाँ",
        "जी"
      ])
      assert.strictEqual(told.length, 3)
      assert.deepStrictEqual(told.at(-1), [])
    }).pipe(
      Effect.provide(Layer.provide(Conversation.layer, [
        AgentCatalog.layerOf([new Agent({ app_id: testCallBrief.app_id, versions: [scriptAgent()] })]),
        ScriptedModel.layer()
      ]))
    ))
})

describe("an agent with a script", () => {
  virtualTest("holds a complete call in English and reports it", () =>
    Effect.gen(function*() {
      const { log, report } = yield* call({ lines: ["Yes, speaking", "On the 15th"] })
      assert.deepStrictEqual(turnsOf(report), [
        "agent: Hello, am I speaking with Asha?",
        "user: Yes, speaking",
        "agent: This call is recorded. You owe 4500 rupees. On which day of this month can you pay?",
        "user: On the 15th",
        "agent: Noted, thank you. Thank you. Goodbye."
      ])
      assert.isTrue(report.agent_done)
      assert.strictEqual(report.ended_by, "agent")
      assert.strictEqual(report.language_name, "English")
      assert.deepStrictEqual(report.output_agent_variables, { right_person: true, promise_date: "15" })
      assert.deepStrictEqual(report.final_agent_variables, {
        customer_name: "Asha",
        amount: 4500,
        right_person: true,
        promise_date: "15"
      })
      assert.deepStrictEqual(log.at(-1)?._tag, "Ended")
    }))

  virtualTest("holds it in Hindi on request and reports both texts", () =>
    Effect.gen(function*() {
      const { report } = yield* call({
        lines: [
          { say: "जी हाँ", english: "Yes", language: "Hindi" },
          { say: "१५ तारीख को", language: "Hindi" }
        ],
        brief: { app_overrides: { initial_language_name: "Hindi" } }
      })
      assert.strictEqual(turnsOf(report)[0], "agent: नमस्ते, क्या मैं Asha से बात कर रही हूँ?")
      assert.deepStrictEqual(
        report.transcript.filter(({ role }) => role === "agent").map(({ en_text }) => en_text),
        [
          "Hello, am I speaking with Asha?",
          "This call is recorded. You owe 4500 rupees. On which day of this month can you pay?",
          "Noted, thank you. Thank you. Goodbye."
        ]
      )
      assert.deepStrictEqual(
        report.transcript.slice(1, 2).map(({ en_text, indic_text }) => [en_text, indic_text]),
        [["Yes", "जी हाँ"]]
      )
      assert.strictEqual(report.output_agent_variables["promise_date"], "15")
      assert.strictEqual(report.language_name, "Hindi")
      assert.isTrue(report.agent_done)
    }))

  virtualTest("switches to another of its languages with the caller", () =>
    Effect.gen(function*() {
      const { report } = yield* call({ lines: [{ say: "जी", language: "Hindi" }, { say: "3", language: "Hindi" }] })
      assert.match(turnsOf(report)[2] ?? "", /आपके 4500 रुपये/)
    }))

  virtualTest("promises a callback at the time that the caller names", () =>
    Effect.gen(function*() {
      const { log, report } = yield* call({ lines: ["I am busy, try in 20 minutes"] })
      const heardAt = log.find((event) => event._tag === "Answer")?.at ?? 0
      assert.strictEqual(report.reschedule_at, heardAt + Duration.toMillis("20 minutes"))
      assert.isFalse(report.agent_done)
      assert.isFalse(report.business_retry)
    }))

  virtualTest("asks for another try without a usable reply", () =>
    Effect.gen(function*() {
      const { report } = yield* call({ lines: ["Purple", "Purple"] })
      assert.isTrue(report.business_retry)
      assert.isFalse(report.agent_done)
      assert.strictEqual(report.ended_by, "agent")
    }))

  virtualTest("does not count a call with the wrong person as done", () =>
    Effect.gen(function*() {
      const { report } = yield* call({ lines: ["Wrong number"] })
      assert.deepStrictEqual(report.output_agent_variables, { right_person: false })
      assert.isFalse(report.agent_done)
    }))

  virtualTest("accepts keys as replies", () =>
    Effect.gen(function*() {
      const { report } = yield* call({ lines: ["yes", { press: "7" }] })
      assert.strictEqual(report.output_agent_variables["promise_date"], "7")
    }))

  virtualTest("begins with the step and the greeting of the call", () =>
    Effect.gen(function*() {
      const { log } = yield* call({
        lines: [],
        brief: {
          app_overrides: { initial_state_name: "promise", initial_bot_message: "Hello again {{customer_name}}!" }
        }
      })
      assert.strictEqual(saidOn(log)[0], "Hello again Asha!")
    }))

  virtualTest("greets before its first step", () =>
    Effect.gen(function*() {
      const { log } = yield* call({ lines: [] }, { first_message: "Good day." })
      assert.strictEqual(saidOn(log)[0], "Good day. Hello, am I speaking with Asha?")
    }))
})
