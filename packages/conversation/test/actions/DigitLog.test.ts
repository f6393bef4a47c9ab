import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { ends, says } from "@trunkline/models/testing"
import { Effect } from "effect"
import { balanceCall, calls } from "../StreamingCall.js"
import { done, uses } from "../ToolCall.js"
import { actionCall, told } from "./ActionCall.js"

const agent = {
  digit_entries: [{ name: "pin", description: "The PIN", min: 4, max: 4, say: "Enter your PIN.", speech: "digits" }]
}

describe("an entry of digits", () => {
  virtualTest(
    "is in the log of a call without its digits, which another process asks for again",
    () =>
      Effect.gen(function*() {
        const log: Array<string> = []
        const keep = (text: string) => Effect.sync(() => void log.push(text))
        const note = (text: string) => void log.push(text)
        const first = yield* actionCall({
          agent,
          lines: ["Go", { press: "42" }, "seven one", { hangUp: true }],
          model: [uses("collect_digits", { name: "pin" }), says("Thank you.")],
          brief: { log: { past: [], note, keep, stay: (effect) => effect } }
        })
        assert.deepStrictEqual(first.tools.map(({ en_text }) => en_text), ["The caller has entered 4 digits."])
        assert.notMatch(log.join(), /"42"|seven/)
        const entered = log.findIndex((text) => text.includes("\"••\""))
        const past = log.slice(0, entered + 1)
        const { requests } = yield* actionCall({
          agent,
          lines: [{ press: "71#" }],
          model: [done],
          brief: { log: { past, note: () => {}, keep: () => Effect.void, stay: (effect) => effect } }
        })
        assert.include(told(requests[0]).at(-1), "They were lost, since the line was away for a moment")
      })
  )

  virtualTest(
    "begins although the caller interrupts the response that asks for it while it is spoken",
    () =>
      Effect.gen(function*() {
        const { report, texts } = yield* balanceCall({
          agent,
          lines: ["Go", "four two seven one"],
          interruptAfter: 1,
          model: [
            [
              ...says("I need your PIN now, if you please. ", "Then I look."),
              ...calls("collect_digits", { name: "pin" }),
              ends(1)
            ],
            [...says("Thank you."), ends(1)]
          ]
        })
        assert.include(texts, "Enter your PIN.")
        const tools = report.transcript.filter(({ role }) => role === "tool")
        assert.deepStrictEqual(tools.map(({ en_text }) => en_text), ["The caller has entered 4 digits."])
        assert.notInclude(JSON.stringify(report.transcript), "seven")
      })
  )
})
