import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { answers, ends, hangs, says, waits } from "@trunkline/models/testing"
import { Effect } from "effect"
import { turnsOf } from "./Fixtures.js"
import { balanceCall as call, calls } from "./StreamingCall.js"

const used: Array<string> = []
const handlers = {
  balance: () =>
    Effect.sync(() => {
      used.push("balance")
      return { content: "12 rupees" }
    })
}

describe("the tools of a reply that is spoken while it is written", () => {
  const model = [[...says("Let me see. ", "One moment."), ...calls("balance"), ends(3)], answers("You have 12 rupees.")]

  virtualTest("run after its speech", () =>
    Effect.gen(function*() {
      const { clauses, report } = yield* call({ lines: ["Hi"], model, handlers })
      assert.deepStrictEqual(clauses.at(-1), { at: 4_000, text: "You have 12 rupees." })
      assert.deepStrictEqual(turnsOf(report).slice(2), [
        "agent: Let me see. One moment.",
        "tool: 12 rupees",
        "agent: You have 12 rupees."
      ])
    }))

  virtualTest("are dropped when the caller interrupts, whether they are complete or not", () =>
    Effect.gen(function*() {
      const cut = [...says("Let me see. ", "One moment."), ...calls("balance"), hangs]
      for (const [script, isComplete] of [[model[0] ?? [], true], [cut, false]] as const) {
        used.length = 0
        const { report, requests } = yield* call({
          lines: ["Hi", "Wait"],
          model: [script, answers("Yes.")],
          handlers,
          interruptAfter: 1
        })
        assert.deepStrictEqual(used, [])
        assert.deepStrictEqual(turnsOf(report).slice(2), ["agent: Let me see.", "user: Wait", "agent: Yes."])
        const results = requests[1]?.request.messages.filter(({ role }) => role === "tool") ?? []
        assert.deepStrictEqual(
          results.map((message) => message.content),
          isComplete ? ["Not done: the caller spoke first."] : []
        )
      }
    }))

  virtualTest("run at once when it has no text", () =>
    Effect.gen(function*() {
      for (const markup of ["", "**"]) {
        const { report, texts } = yield* call({
          lines: ["Hi"],
          model: [[...says(markup), ...calls("balance"), ends(1)], answers("Done.")],
          handlers
        })
        assert.deepStrictEqual(texts, ["Hello.", "Done."])
        assert.deepStrictEqual(turnsOf(report).slice(2), ["tool: 12 rupees", "agent: Done."])
      }
    }))

  virtualTest("are answered together with what the caller has said meanwhile", () =>
    Effect.gen(function*() {
      const { report, requests, texts } = yield* call({ lines: ["Hi"], meanwhile: "In rupees.", model, handlers })
      assert.deepStrictEqual(texts.slice(1), ["Let me see.", "One moment.", "You have 12 rupees."])
      assert.deepStrictEqual(turnsOf(report).slice(2), [
        "agent: Let me see. One moment.",
        "tool: 12 rupees",
        "user: In rupees.",
        "agent: You have 12 rupees."
      ])
      assert.deepStrictEqual(requests[1]?.request.messages.slice(-2).map(({ content }) => content), [
        "12 rupees",
        "In rupees."
      ])
    }))

  virtualTest("run although the agent has asked for a moment", () =>
    Effect.gen(function*() {
      for (const name of ["balance", "set_variables"]) {
        const { report, requests, texts } = yield* call({
          lines: ["Hi"],
          model: [[waits("7 seconds"), ...calls(name, { city: "Pune" }), ends(1)], answers("Done.")],
          handlers
        })
        assert.deepStrictEqual(texts, ["Hello.", "One moment, please.", "Done."])
        assert.include(turnsOf(report), "agent: One moment, please.")
        assert.strictEqual(requests[1]?.request.messages.at(-1)?.role, "tool")
      }
    }))
})
