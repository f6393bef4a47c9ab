import { assert, describe } from "@effect/vitest"
import { ToolFailed } from "@trunkline/agents"
import { virtualTest } from "@trunkline/kernel/testing"
import { answers } from "@trunkline/models/testing"
import { Effect } from "effect"
import { saidOn, turnsOf } from "./Fixtures.js"
import { done, toolCall, uses, usesAll } from "./ToolCall.js"

/** A tool that answers after so many seconds, and the number of its runs. */
const slowTool = (seconds: number, content: unknown = "12 rupees") => {
  const seen = { runs: 0 }
  const handler = () =>
    Effect.suspend(() => {
      seen.runs += 1
      return Effect.delay(Effect.succeed({ content }), seconds * 1_000)
    })
  return { seen, handler }
}

const parameters = {
  type: "object",
  properties: { people: { type: "integer", minimum: 1 } },
  required: ["people"]
}

describe("a tool that takes long", () => {
  virtualTest(
    "is spoken over with its filler after a second, which the model is told of",
    () =>
      Effect.gen(function*() {
        const { report, requests } = yield* toolCall({
          tools: { balance: { filler: { English: "I am looking.", Hindi: "देख रही हूँ।" } } },
          handlers: { balance: slowTool(3).handler },
          model: [uses("balance"), answers("It is 12 rupees."), done],
          lines: ["Please", "Bye"]
        })
        assert.deepStrictEqual(turnsOf(report).slice(1, 5), [
          "user: Please",
          "agent: I am looking.",
          "tool: 12 rupees",
          "agent: It is 12 rupees."
        ])
        const [, , filler, tool] = report.transcript
        assert.strictEqual((filler?.at ?? 0) - (report.transcript[1]?.at ?? 0), 1_000)
        assert.strictEqual(tool?.tool_seconds, 3)
        assert.deepStrictEqual(requests[1]?.messages.slice(-2).map(({ content, role }) => [role, content]), [
          ["assistant", "I am looking."],
          ["tool", "12 rupees"]
        ])
      })
  )

  virtualTest(
    "is not spoken over when it answers within a second, or after words of the model",
    () =>
      Effect.gen(function*() {
        for (const [seconds, words] of [[0.9, ""], [4, "Let me see."]] as const) {
          const { log } = yield* toolCall({
            tools: { balance: { filler: "I am looking." } },
            handlers: { balance: slowTool(seconds).handler },
            model: [uses("balance", {}, words), done]
          })
          assert.notInclude(saidOn(log), "I am looking.")
        }
      })
  )

  virtualTest("asks for a moment after six seconds without a filler of its own", () =>
    Effect.gen(function*() {
      const { log } = yield* toolCall({
        tools: { balance: {} },
        handlers: { balance: slowTool(7).handler },
        model: [uses("balance"), done]
      })
      assert.include(saidOn(log), "One moment, please.")
    }))

  virtualTest("is given up by its own deadline, and the call goes on", () =>
    Effect.gen(function*() {
      const { report, tools } = yield* toolCall({
        tools: { balance: { timeout_seconds: 2 }, slow: { timeout_seconds: 30 } },
        handlers: { balance: () => Effect.never, slow: slowTool(25).handler },
        model: [uses("balance"), uses("slow"), done]
      })
      assert.deepStrictEqual(
        tools.map(({ en_text, tool_outcome, tool_seconds }) => [en_text, tool_outcome, tool_seconds]),
        [
          ["The tool did not answer in time.", "timed_out", 2],
          ["12 rupees", "done", 25]
        ]
      )
      assert.strictEqual(report.fault, null)
    }))

  virtualTest(
    "is given up when the time of the call is over, and all its uses stand in the record",
    () =>
      Effect.gen(function*() {
        const { report, tools } = yield* toolCall({
          tools: { quick: {}, balance: { timeout_seconds: 60 } },
          handlers: { quick: slowTool(0).handler, balance: () => Effect.never },
          model: [usesAll(["quick", "balance"])],
          seconds: 20
        })
        assert.strictEqual(report.ended_by, "timeout")
        assert.deepStrictEqual(tools.map(({ tool_name, tool_outcome }) => [tool_name, tool_outcome]), [
          ["quick", "done"],
          ["balance", "timed_out"]
        ])
      })
  )
})

describe("a tool that runs once", () => {
  for (
    const [what, handler, outcome] of [
      ["answers", slowTool(0).handler, "It answered: 12 rupees"],
      ["fails", () => new ToolFailed({ message: "No money." }), "It answered: No money."],
      ["hangs", () => Effect.never, "It answered: The tool did not answer in time."]
    ] as const
  ) {
    virtualTest(`runs once a call when it ${what}, whatever the model asks`, () =>
      Effect.gen(function*() {
        let runs = 0
        const { tools } = yield* toolCall({
          tools: { pay: { once: true } },
          handlers: { pay: () => (runs += 1, handler()) },
          model: [uses("pay", { rupees: 1 }), uses("pay", { rupees: 2 }), answers("Well."), uses("pay"), done],
          lines: ["Please", "Again"]
        })
        assert.strictEqual(runs, 1)
        assert.deepStrictEqual(tools.slice(1).map(({ tool_outcome }) => tool_outcome), ["refused", "refused"])
        assert.include(tools[1]?.en_text ?? "", outcome)
      }))
  }

  virtualTest("has not run when its arguments were wrong", () =>
    Effect.gen(function*() {
      const { seen, handler } = slowTool(0)
      const { tools } = yield* toolCall({
        tools: { book: { once: true, parameters } },
        handlers: { book: handler },
        model: [uses("book", {}), uses("book", { people: 2 }), uses("book", { people: 3 }), done]
      })
      assert.strictEqual(seen.runs, 1)
      assert.deepStrictEqual(tools.map(({ tool_outcome }) => tool_outcome), ["wrong_arguments", "done", "refused"])
    }))
})

describe("loops of tools", () => {
  virtualTest("end after two uses with the same arguments, until the caller speaks", () =>
    Effect.gen(function*() {
      const { seen, handler } = slowTool(0)
      const same = uses("balance", "{ \"account\": 1 }")
      const { tools } = yield* toolCall({
        tools: { balance: {} },
        handlers: { balance: handler },
        model: [same, uses("balance", { account: 1 }), same, answers("Well."), same, done],
        lines: ["Please", "Again"]
      })
      assert.strictEqual(seen.runs, 3)
      assert.deepStrictEqual(tools.map(({ tool_outcome }) => tool_outcome), ["done", "done", "refused", "done"])
      assert.include(tools[2]?.en_text ?? "", "same arguments")
    }))

  virtualTest("end after a number of uses in the call", () =>
    Effect.gen(function*() {
      const { seen, handler } = slowTool(0)
      const { tools } = yield* toolCall({
        tools: { balance: {} },
        handlers: { balance: handler },
        model: [...[1, 2, 3, 4].map((account) => uses("balance", { account })), done],
        conversation: { toolCallsInCall: 2 }
      })
      assert.strictEqual(seen.runs, 2)
      assert.deepStrictEqual(tools.map(({ tool_outcome }) => tool_outcome), ["done", "done", "refused", "refused"])
    }))
})

describe("wrong arguments", () => {
  virtualTest(
    "go back to the model with their issues, and after the second time to the caller",
    () =>
      Effect.gen(function*() {
        const { seen, handler } = slowTool(0)
        const wrong = (people: unknown) => uses("book", { people })
        const { tools } = yield* toolCall({
          tools: { book: { parameters } },
          handlers: { book: handler },
          model: [wrong("two"), wrong(0), wrong(2), answers("For how many?"), wrong(2), done],
          lines: ["Please", "Two"]
        })
        assert.strictEqual(seen.runs, 1)
        assert.deepStrictEqual(tools.map(({ tool_outcome }) => tool_outcome), [
          "wrong_arguments",
          "wrong_arguments",
          "refused",
          "done"
        ])
        assert.match(tools[0]?.en_text ?? "", /^The arguments are wrong: people: .*"integer"/)
        assert.match(tools[1]?.en_text ?? "", /people: .*0.*before the caller has spoken\.$/)
      })
  )
})

describe("a tool and an interruption", () => {
  for (const [policy, runs] of [["run", 1], ["drop", 0]] as const) {
    virtualTest(`with on_interruption ${policy}: ${runs} runs`, () =>
      Effect.gen(function*() {
        const { seen, handler } = slowTool(2)
        const { report, requests } = yield* toolCall({
          tools: { book: { on_interruption: policy } },
          handlers: { book: handler },
          model: [uses("book", {}, "I will book that table for you"), done],
          lines: ["Please", { say: "Near the window", interruptAt: 0.5 }]
        })
        assert.strictEqual(seen.runs, runs)
        assert.deepStrictEqual(turnsOf(report).filter((turn) => !turn.startsWith("agent")), [
          "user: Please",
          ...(runs === 1 ? ["tool: 12 rupees"] : []),
          "user: Near the window"
        ])
        assert.deepStrictEqual(requests[1]?.messages.slice(-2).map(({ content }) => content), [
          runs === 1 ? "12 rupees" : "Not done: the caller spoke first.",
          "Near the window"
        ])
      }))
  }

  virtualTest("stands in the history although the caller interrupts its filler", () =>
    Effect.gen(function*() {
      const { requests } = yield* toolCall({
        tools: { balance: { filler: "I am looking into that for you" } },
        handlers: { balance: slowTool(3).handler },
        model: [uses("balance"), done],
        lines: ["Please", { say: "Hurry", interruptAt: 0.4 }]
      })
      assert.deepStrictEqual(requests[1]?.messages.slice(-3).map(({ content }) => content), [
        "I am",
        "12 rupees",
        "Hurry"
      ])
    }))
})
