import { assert, describe } from "@effect/vitest"
import type { ToolCall } from "@trunkline/agents"
import type { LegEvent } from "@trunkline/conversation/testing"
import { virtualTest } from "@trunkline/kernel/testing"
import { says } from "@trunkline/models/testing"
import { Effect } from "effect"
import { saidOn, turnsOf } from "../Fixtures.js"
import { done, uses } from "../ToolCall.js"
import { actionCall, told } from "./ActionCall.js"

const collects = uses("collect_digits", { name: "pin" })

const pin = (changes: object = {}) => ({
  digit_entries: [{ name: "pin", description: "The PIN", min: 4, max: 4, say: "Enter your PIN.", ...changes }]
})

const presses = (...keys: ReadonlyArray<string>) => keys.map((press) => ({ press }))

/** Times at which something was secret. */
const secrecyOn = (log: ReadonlyArray<LegEvent>) =>
  log.flatMap((event) => event._tag === "Secrecy" ? [event.isSecret] : [])

describe("an entry of digits", () => {
  virtualTest("gives them to tools alone: no record, model or note of it has them", () => {
    const calls: Array<ToolCall["digits"]> = []
    return Effect.gen(function*() {
      const { log, report, requests, tools } = yield* actionCall({
        agent: { ...pin(), tools: [{ name: "check_pin", description: "Checks it" }] },
        handlers: {
          check_pin: (_input, { digits }) => {
            calls.push(digits)
            return Effect.succeed({ content: `PIN ${digits["pin"] ?? ""} is right` })
          }
        },
        lines: ["I want to pay", ...presses("4", "2", "7", "1", "#")],
        model: [collects, uses("check_pin"), says("It is right."), done]
      })
      assert.deepStrictEqual(saidOn(log).slice(0, 3), ["Hello.", "Enter your PIN.", "It is right."])
      assert.deepStrictEqual(calls, [{ pin: "4271" }])
      assert.deepStrictEqual(
        tools.map((
          { en_text, tool_arguments, tool_name, tool_outcome }
        ) => [tool_name, tool_arguments, tool_outcome, en_text]),
        [
          ["collect_digits", "{\"name\":\"pin\"}", "done", "The caller has entered 4 digits."],
          ["check_pin", "{}", "done", "PIN •••• is right"]
        ]
      )
      assert.notInclude(JSON.stringify(report), "4271")
      assert.notInclude(JSON.stringify(requests), "4271")
      assert.deepStrictEqual(turnsOf(report).filter((turn) => turn.startsWith("user")), ["user: I want to pay"])
      assert.deepStrictEqual(secrecyOn(log), [true, false])
    })
  })

  virtualTest("may tell the model, and is masked in the record then too", () =>
    Effect.gen(function*() {
      const { report, requests } = yield* actionCall({
        agent: pin({ reveal: "model" }),
        lines: ["I want to pay", ...presses("4271#")],
        model: [collects, says("You pressed 4 2 7 1."), done]
      })
      assert.include(told(requests[1]).at(-1), "The caller has entered 4271.")
      assert.include(turnsOf(report), "agent: You pressed • • • •.")
      assert.notInclude(JSON.stringify(report), "4271")
    }))

  virtualTest("ends with the terminator, or after a pause, when there are enough digits", () =>
    Effect.gen(function*() {
      for (const lines of [presses("12*"), presses("12")]) {
        const { tools } = yield* actionCall({
          agent: pin({ min: 2, max: 8, terminator: "*", digit_seconds: 3 }),
          lines: ["Go", ...lines],
          model: [collects, done]
        })
        assert.deepStrictEqual(tools.map(({ en_text, tool_seconds }) => [en_text, tool_seconds]), [
          ["The caller has entered 2 digits.", lines[0]?.press === "12*" ? 2 : 5]
        ])
      }
    }))

  virtualTest(
    "asks again when digits are missing, and then tells the model that it failed",
    () =>
      Effect.gen(function*() {
        const { log, requests, tools } = yield* actionCall({
          agent: pin({ retries: 1, seconds: 10 }),
          lines: ["Go", { press: "12#" }],
          model: [collects, says("No PIN then."), done]
        })
        assert.deepStrictEqual(saidOn(log).slice(1, 4), [
          "Enter your PIN.",
          "Sorry, some digits are missing. Enter your PIN.",
          "No PIN then."
        ])
        assert.deepStrictEqual(tools.map(({ tool_outcome }) => tool_outcome), ["timed_out"])
        assert.include(told(requests[1]).at(-1), "The caller has not entered the digits.")
      })
  )

  virtualTest("ignores words, unless it takes spoken digits", () =>
    Effect.gen(function*() {
      const words = ["Go", "Four 2 seven one", "four two"]
      const ignored = yield* actionCall({ agent: pin({ retries: 0 }), lines: words, model: [collects, done] })
      assert.deepStrictEqual(ignored.tools.map(({ tool_outcome }) => tool_outcome), ["timed_out"])
      assert.deepStrictEqual(turnsOf(ignored.report).filter((turn) => turn.startsWith("user")), ["user: Go"])
      const taken = yield* actionCall({ agent: pin({ speech: "digits" }), lines: words, model: [collects, done] })
      assert.deepStrictEqual(taken.tools.map(({ en_text }) => en_text), ["The caller has entered 4 digits."])
    }))

  virtualTest("takes keys that interrupt the words before it as its first ones", () =>
    Effect.gen(function*() {
      const { report, tools } = yield* actionCall({
        agent: pin(),
        lines: ["Go", { press: "42", interruptAt: 0.5 }, { press: "71#" }],
        model: [uses("collect_digits", { name: "pin" }, "I need your PIN now, please."), done]
      })
      assert.deepStrictEqual(tools.map(({ en_text }) => en_text), ["The caller has entered 4 digits."])
      assert.notInclude(JSON.stringify(report.transcript), "42")
    }))

  virtualTest("that the end of the call cuts off is in the record, without its keys", () =>
    Effect.gen(function*() {
      const { report, tools } = yield* actionCall({
        agent: pin(),
        lines: ["Go", { press: "42" }, { hangUp: true }],
        model: [collects]
      })
      assert.deepStrictEqual(tools.map(({ en_text, tool_outcome }) => [en_text, tool_outcome]), [
        ["The call ended before the digits were entered.", "timed_out"]
      ])
      assert.notInclude(JSON.stringify(report.transcript), "42")
    }))

  virtualTest("that nobody knows is refused", () =>
    Effect.gen(function*() {
      const { requests } = yield* actionCall({
        agent: pin(),
        lines: ["Go"],
        model: [uses("collect_digits", { name: "card" }), done]
      })
      assert.include(told(requests[1]), "tool: Choose one of pin.")
    }))
})
