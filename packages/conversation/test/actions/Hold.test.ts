import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { says } from "@trunkline/models/testing"
import { Effect } from "effect"
import { saidOn, turnsOf } from "../Fixtures.js"
import { done, uses, usesAll } from "../ToolCall.js"
import { actionCall, told } from "./ActionCall.js"

const hold = { hold: { message: "Please hold.", every_seconds: 20, max_seconds: 60 } }

describe("a caller on hold", () => {
  virtualTest(
    "is told so again and again, is not heard, and goes on when the time is over",
    () =>
      Effect.gen(function*() {
        const { log, report, requests, tools } = yield* actionCall({
          agent: hold,
          lines: ["Ask your boss", "Hello?", { say: "Anybody?", after: "10 minutes" }],
          model: [uses("hold_caller", { seconds: 600 }, "A moment."), says("Here I am."), done]
        })
        assert.deepStrictEqual(saidOn(log).slice(1, 6), [
          "A moment.",
          "Please hold.",
          "Please hold.",
          "Please hold.",
          "Here I am."
        ])
        assert.deepStrictEqual(tools.map(({ en_text, tool_outcome }) => [en_text, tool_outcome]), [
          ["The caller was on hold for 60 seconds.", "done"]
        ])
        assert.deepStrictEqual(turnsOf(report).slice(0, 6), [
          "agent: Hello.",
          "user: Ask your boss",
          "agent: A moment.",
          "agent: Please hold.",
          "tool: The caller was on hold for 60 seconds.",
          "agent: Here I am."
        ])
        assert.deepStrictEqual(told(requests[1]).slice(2), [
          "assistant: A moment.",
          "tool: The caller was on hold for 60 seconds."
        ])
      })
  )

  virtualTest("waits until the tools of the same response have answered", () =>
    Effect.gen(function*() {
      const { log, requests, tools } = yield* actionCall({
        agent: { ...hold, tools: [{ name: "ask_boss", description: "Asks", timeout_seconds: 600 }] },
        handlers: { ask_boss: () => Effect.delay(Effect.succeed({ content: "Yes" }), "45 seconds") },
        lines: ["Ask your boss", "Thanks"],
        model: [usesAll(["hold_caller", "ask_boss"]), says("The boss agrees."), done]
      })
      assert.deepStrictEqual(saidOn(log).slice(1, 5), [
        "Please hold.",
        "Please hold.",
        "Please hold.",
        "The boss agrees."
      ])
      assert.deepStrictEqual(tools.map(({ en_text }) => en_text), ["Yes", "The caller was on hold for 45 seconds."])
      assert.include(told(requests[1]), "tool: Yes")
    }))

  virtualTest("does not wait longer for a tool than a hold may last", () =>
    Effect.gen(function*() {
      const { tools } = yield* actionCall({
        agent: { ...hold, tools: [{ name: "ask_boss", description: "Asks", timeout_seconds: 600 }] },
        handlers: { ask_boss: () => Effect.never },
        lines: ["Ask your boss"],
        model: [usesAll(["hold_caller", "ask_boss"]), done]
      })
      assert.deepStrictEqual(tools.map(({ tool_outcome, tool_seconds }) => [tool_outcome, tool_seconds]), [
        ["timed_out", 60],
        ["done", 60]
      ])
    }))

  virtualTest("who hangs up leaves a hold in the record", () =>
    Effect.gen(function*() {
      const { report, tools } = yield* actionCall({
        agent: { hold: {} },
        lines: ["Ask your boss", { hangUp: true, after: "7 seconds" }],
        model: [uses("hold_caller")]
      })
      assert.deepStrictEqual(tools.map(({ tool_outcome, tool_seconds }) => [tool_outcome, tool_seconds]), [[
        "timed_out",
        7
      ]])
      assert.strictEqual(report.ended_by, "user")
    }))
})
