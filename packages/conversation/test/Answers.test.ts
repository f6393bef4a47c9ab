import { assert, describe } from "@effect/vitest"
import { type CalleeLine, runTestCall } from "@trunkline/conversation/testing"
import { virtualTest } from "@trunkline/kernel/testing"
import { ScriptedModel } from "@trunkline/scripted-model"
import { AnswerHandling } from "@trunkline/telephony"
import { Effect, Schema } from "effect"
import { saidOn, scriptAgent, turnsOf } from "./Fixtures.js"

const handling = Schema.decodeUnknownSync(AnswerHandling)

const machine = "The person you are calling is not available. Please leave a message after the tone."
const screening = "Hi, if you record your name and reason for calling, I'll see if this person is available."

const call = (lines: ReadonlyArray<string | CalleeLine>, rules: object) =>
  runTestCall({
    version: scriptAgent(),
    lines,
    brief: { agent_variables: { customer_name: "Asha", amount: 4500 }, answer_handling: handling(rules) }
  }).pipe(Effect.provide(ScriptedModel.layer()))

const message = { machine: { action: "leave_message", message: "Please call us back, {{customer_name}}." } }

describe("a call whose answer is found out", () => {
  virtualTest(
    "begins after the first words of a person, which the agent's first words answer",
    () =>
      Effect.gen(function*() {
        const { report } = yield* call(["Hello?", "Yes, speaking", "On the 15th"], message)
        assert.deepStrictEqual(turnsOf(report).slice(0, 3), [
          "user: Hello?",
          "agent: Hello, am I speaking with Asha?",
          "user: Yes, speaking"
        ])
        assert.isTrue(report.agent_done)
        assert.deepInclude(report.answer, { answered_by: "person", evidence: "words", action: "none", words: "Hello?" })
      })
  )

  virtualTest("begins in silence after four seconds", () =>
    Effect.gen(function*() {
      const { log, report } = yield* call([], message)
      assert.strictEqual(saidOn(log)[0], "Hello, am I speaking with Asha?")
      assert.deepInclude(report.answer, { answered_by: "silence", decided_ms: 4_000 })
    }))

  virtualTest("leaves the message on a machine and hangs up", () =>
    Effect.gen(function*() {
      const { log, report } = yield* call([machine], message)
      assert.deepStrictEqual(saidOn(log), ["Please call us back, Asha."])
      assert.deepStrictEqual(turnsOf(report), [`user: ${machine}`, "agent: Please call us back, Asha."])
      assert.deepInclude(report.answer, { answered_by: "machine", evidence: "words", action: "message_left" })
      assert.isFalse(report.agent_done)
      assert.deepInclude(log.at(-1), { _tag: "Ended", by: "agent" })
    }))

  virtualTest("hangs up on a machine without a word", () =>
    Effect.gen(function*() {
      const { log, report } = yield* call([machine], { machine: { action: "hang_up" } })
      assert.deepStrictEqual(saidOn(log), [])
      assert.deepInclude(report.answer, { answered_by: "machine", action: "hung_up" })
    }))

  virtualTest("goes on at a machine that is only reported", () =>
    Effect.gen(function*() {
      const { log, report } = yield* call([machine, "Yes, speaking", "On the 15th"], {})
      assert.strictEqual(saidOn(log)[0], "Hello, am I speaking with Asha?")
      assert.deepInclude(report.answer, { answered_by: "machine", action: "none" })
    }))

  virtualTest(
    "ends its conversation when later words are those of a machine, and leaves the message",
    () =>
      Effect.gen(function*() {
        const { log, report } = yield* call(["Hello.", machine], message)
        assert.deepStrictEqual(saidOn(log), ["Hello, am I speaking with Asha?", "Please call us back, Asha."])
        assert.deepInclude(report.answer, { answered_by: "machine", action: "message_left" })
        assert.isFalse(report.agent_done)
      })
  )

  virtualTest("keeps the conversation with a person who is not available, or busy", () =>
    Effect.gen(function*() {
      for (
        const words of [
          "He is not available.",
          "I'm busy now, call later.",
          "I am not available right now.",
          "वो घर पर नहीं हैं",
          "abhi busy hoon, baad mein"
        ]
      ) {
        const { report } = yield* call([words, "Bye"], message)
        assert.deepInclude(report.answer, { answered_by: "person", action: "none" })
      }
    }))

  virtualTest("tells a screening service who calls, and waits for the person", () =>
    Effect.gen(function*() {
      const rules = { screening: { action: "announce", text: "This is the bank for {{customer_name}}." } }
      const { log, report } = yield* call(
        [screening, "Thanks, please hold.", { say: "Hello?", after: "10 seconds" }, "Yes, speaking", "On the 15th"],
        rules
      )
      assert.deepStrictEqual(saidOn(log).slice(0, 2), [
        "This is the bank for Asha.",
        "Hello, am I speaking with Asha?"
      ])
      assert.deepInclude(report.answer, { answered_by: "screening", action: "announced" })
      assert.isTrue(report.agent_done)
    }))

  virtualTest(
    "hangs up on a screening service that says for ever to hold, and tells of a machine after it when it came",
    () =>
      Effect.gen(function*() {
        const rules = { screening: { action: "announce", text: "This is the bank." }, machine: { action: "hang_up" } }
        const hold: CalleeLine = { say: "Please hold the line.", after: "20 seconds" }
        const held = yield* call([screening, ...Array.from({ length: 60 }, () => hold)], rules)
        assert.deepInclude(held.report.answer, { answered_by: "screening", action: "hung_up" })
        const holds = turnsOf(held.report).filter((turn) => turn === "user: Please hold the line.")
        assert.isAtMost(holds.length, 3)
        const { report } = yield* call([screening, { say: machine, after: "10 seconds" }], rules)
        assert.deepInclude(report.answer, { answered_by: "machine", action: "hung_up" })
        assert.isAtLeast(report.answer?.decided_ms ?? 0, 10_000)
      })
  )

  virtualTest("hangs up when nobody comes to a screened call", () =>
    Effect.gen(function*() {
      const rules = { screening: { action: "announce", text: "This is the bank." } }
      const { report } = yield* call([screening], rules)
      assert.deepInclude(report.answer, { answered_by: "screening", action: "hung_up" })
      assert.strictEqual(report.ended_by, "agent")
    }))

  virtualTest("hangs up on a menu if told so", () =>
    Effect.gen(function*() {
      const { report } = yield* call(["Welcome to Acme. For sales, press one."], { ivr: { action: "hang_up" } })
      assert.deepInclude(report.answer, { answered_by: "ivr", action: "hung_up" })
    }))

  virtualTest("has no verdict where nobody was to find out", () =>
    Effect.gen(function*() {
      const { report } = yield* runTestCall({ version: scriptAgent(), lines: [machine] }).pipe(
        Effect.provide(ScriptedModel.layer())
      )
      assert.isUndefined(report.answer)
    }))
})
