import { assert, describe } from "@effect/vitest"
import { ModelFailed } from "@trunkline/errors"
import { virtualTest } from "@trunkline/kernel/testing"
import { answers, ends, fails, type FakeStep, hangs, says, sends, waits } from "@trunkline/models/testing"
import { Effect } from "effect"
import { promptAgent, quiet, turnsOf } from "./fixtures.js"
import { runStreamingCall, type StreamingCallOptions } from "./StreamingCall.js"

const version = promptAgent({
  first_message: "Hello.",
  tools: [{ name: "balance", description: "balance" }],
  variables: ["city"]
})

const call = (options: Omit<StreamingCallOptions, "version">) => quiet(runStreamingCall({ version, ...options }))

/** A tool call, complete with its arguments. */
const calls = (name: string, input: object = {}): ReadonlyArray<FakeStep> => [
  sends({ _tag: "ToolStart", index: 0, id: "call-1", name }),
  sends({ _tag: "ToolArgs", index: 0, text: JSON.stringify(input) })
]

const down = fails(new ModelFailed({ message: "down" }))
const used: Array<string> = []
const handlers = {
  balance: () =>
    Effect.sync(() => {
      used.push("balance")
      return { content: "12 rupees" }
    })
}

describe("a reply that is spoken while it is written", () => {
  virtualTest("begins with its first clause before its last one is written", () =>
    Effect.gen(function*() {
      const model = [[
        ...says("Good morning. ", "How "),
        waits("5 seconds"),
        ...says("are you? ", "Well, "),
        waits("5 seconds"),
        ...answers("I hope.")
      ]]
      const { clauses, report } = yield* call({ lines: ["Hi"], model })
      assert.deepStrictEqual(clauses, [
        { at: 0, text: "Hello." },
        { at: 2_000, text: "Good morning." },
        { at: 7_000, text: "How are you?" },
        { at: 12_000, text: "Well, I hope." }
      ])
      assert.include(turnsOf(report), "agent: Good morning. How are you? Well, I hope.")
      assert.strictEqual(report.average_agent_response_seconds, 0)
    }))

  virtualTest("speaks neither reasoning nor markup nor tool calls", () =>
    Effect.gen(function*() {
      const model = [
        [
          sends({ _tag: "Reasoning", text: "They want the balance. I must be quick." }),
          ...says(
            "## Your **account**\n",
            "- It is <b>open</b>. ",
            "See [the page](https://example.org/a)",
            " for `more`."
          ),
          ...calls("balance", { account: "secret" }),
          ends(9)
        ],
        answers("That is all.")
      ]
      const { said } = yield* call({ lines: ["Hi"], model, handlers })
      assert.strictEqual(
        said.slice(1, -1).join(" "),
        "Your account It is open. See the page for more."
      )
      assert.strictEqual(said.at(-1), "That is all.")
    }))

  virtualTest("speaks no thoughts, code or JSON that the model writes in its text", () =>
    Effect.gen(function*() {
      const model = [
        [
          ...says("<thi", "nk>They want the hours. Quick.</think>", "We are open until nine. ", "```sh\nrun\n"),
          ends(9)
        ],
        answers("{\"name\": \"end_call\", ", "\"arguments\": {}}"),
        answers("Take file_name and 5*3, at *most*.\n| Day |\n|---|\n| Monday |")
      ]
      const { said } = yield* call({ lines: ["Hi", "Well", "So"], model, handlers })
      assert.deepStrictEqual([said[1], said[2], said.slice(3).join(" ")], [
        "We are open until nine.",
        "Sorry, could you say that again?",
        "Take file name and 5*3, at most. Day Monday"
      ])
    }))

  virtualTest(
    "is interrupted in the model too, and only what was heard is in the transcript",
    () =>
      Effect.gen(function*() {
        const model = [[...says("One is here. ", "Two is here. ", "Three is here. ", "Four"), hangs], answers("Yes.")]
        const { report, requests, said } = yield* call({ lines: ["Hi", "Wait"], model, interruptAfter: 2 })
        assert.deepStrictEqual(said, ["Hello.", "One is here.", "Two is here.", "Yes."])
        assert.deepStrictEqual(requests.map(({ closings }) => closings), [1, 1])
        assert.deepStrictEqual(turnsOf(report), [
          "agent: Hello.",
          "user: Hi",
          "agent: One is here. Two is here.",
          "user: Wait",
          "agent: Yes."
        ])
        assert.deepInclude(requests[1]?.request.messages ?? [], {
          role: "assistant",
          content: "One is here. Two is here.",
          toolRequests: []
        })
      })
  )

  virtualTest("apologizes at once when the voice fails, and interrupts the model", () =>
    Effect.gen(function*() {
      const model = [[...says("One is here. ", "Two is here. ", "Three"), waits("10 seconds"), ...answers(" is here.")]]
      const { clauses, report, requests } = yield* call({ lines: ["Hi"], model, failAfter: 1 })
      assert.deepStrictEqual(clauses.slice(1).map(({ at }) => at), [2_000, 3_000])
      assert.deepStrictEqual(requests.map(({ closings }) => closings), [1])
      assert.strictEqual(report.fault, "The voice could not speak.")
    }))

  virtualTest("fails the call when the model fails before its first clause", () =>
    Effect.gen(function*() {
      const { reason } = yield* Effect.flip(call({ lines: ["Hi"], model: [[...says("Good"), down]] }))
      assert.strictEqual(reason, "The language model could not answer.")
    }))

  virtualTest("apologizes once and ends when the model fails after its first clause", () =>
    Effect.gen(function*() {
      const { report, said } = yield* call({ lines: ["Hi", "More"], model: [[...says("It is open. ", "And"), down]] })
      assert.deepStrictEqual(said.slice(0, 2), ["Hello.", "It is open."])
      assert.strictEqual(said.filter((text) => text === "I am sorry, I cannot continue right now. Goodbye.").length, 1)
      assert.strictEqual(said.at(-1), "I am sorry, I cannot continue right now. Goodbye.")
      assert.strictEqual(report.fault, "The language model could not answer.")
      assert.strictEqual(report.ended_by, "agent")
      assert.isFalse(report.agent_done)
    }))

  virtualTest("is cut when the model does not end", () =>
    Effect.gen(function*() {
      const forever = Array.from({ length: 1_000 }, () => says("This goes on and on. ")).flat()
      for (
        const script of [[...forever, hangs], [
          sends(...forever.flatMap((step) => step._tag === "Send" ? step.deltas : []))
        ]]
      ) {
        const { requests, said } = yield* call({ lines: ["Hi"], model: [script] })
        assert.closeTo(said.slice(1).join(" ").length, 2_000, 25)
        assert.strictEqual(requests[0]?.closings, 1)
      }
    }))

  virtualTest("is cut when the model thinks and does not end", () =>
    Effect.gen(function*() {
      const thought = (count: number) =>
        Array.from({ length: count }, () => sends({ _tag: "Reasoning", text: "Let me think about it. " }))
      const { requests, said } = yield* call({
        lines: ["Hi", "Well"],
        model: [[...thought(5_000), hangs], [...thought(500), ...answers("Yes.")]]
      })
      assert.deepStrictEqual(said, ["Hello.", "Sorry, could you say that again?", "Yes."])
      assert.strictEqual(requests[0]?.closings, 1)
    }))

  virtualTest("does not ask for a moment while the call is held", () =>
    Effect.gen(function*() {
      const slow = [...says("The "), waits("12 seconds"), ...answers("bank is closed.")]
      const { clauses } = yield* call({ lines: ["Hi"], model: [slow], heldUntil: 7_500 })
      assert.deepStrictEqual(clauses.slice(1), [
        { at: 13_000, text: "One moment, please." },
        { at: 14_000, text: "The bank is closed." }
      ])
      const { said } = yield* call({ lines: ["Hi"], model: [slow], heldUntil: 60_000 })
      assert.deepStrictEqual(said, ["Hello.", "The bank is closed."])
    }))

  virtualTest("asks for a moment after six seconds without a clause", () =>
    Effect.gen(function*() {
      const slow = [...says("The "), waits("7 seconds"), ...answers("bank is closed.")]
      const { clauses, report } = yield* call({ lines: ["Hi"], model: [slow] })
      assert.deepStrictEqual(clauses.slice(1), [
        { at: 8_000, text: "One moment, please." },
        { at: 9_000, text: "The bank is closed." }
      ])
      assert.include(turnsOf(report), "agent: One moment, please. The bank is closed.")
    }))

  virtualTest("fails when the model sends nothing within the timeout", () =>
    Effect.gen(function*() {
      const { report, said } = yield* call({ lines: ["Hi"], model: [[hangs]] })
      assert.deepStrictEqual(said.slice(1), [
        "One moment, please.",
        "I am sorry, I cannot continue right now. Goodbye."
      ])
      assert.strictEqual(report.fault, "The language model could not answer.")
    }))

  virtualTest("asks the caller to repeat when it has no words", () =>
    Effect.gen(function*() {
      const slow = [waits("7 seconds"), ends(0)]
      for (const script of [answers("**", " <br>", "---"), answers(), slow]) {
        const { said } = yield* call({ lines: ["Hi"], model: [script] })
        assert.strictEqual(said.at(-1), "Sorry, could you say that again?")
      }
    }))
})

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
        const { report, said } = yield* call({
          lines: ["Hi"],
          model: [[...says(markup), ...calls("balance"), ends(1)], answers("Done.")],
          handlers
        })
        assert.deepStrictEqual(said, ["Hello.", "Done."])
        assert.deepStrictEqual(turnsOf(report).slice(2), ["tool: 12 rupees", "agent: Done."])
      }
    }))

  virtualTest("are answered together with what the caller has said meanwhile", () =>
    Effect.gen(function*() {
      const { report, requests, said } = yield* call({ lines: ["Hi"], meanwhile: "In rupees.", model, handlers })
      assert.deepStrictEqual(said.slice(1), ["Let me see.", "One moment.", "You have 12 rupees."])
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
        const { report, requests, said } = yield* call({
          lines: ["Hi"],
          model: [[waits("7 seconds"), ...calls(name, { city: "Pune" }), ends(1)], answers("Done.")],
          handlers
        })
        assert.deepStrictEqual(said, ["Hello.", "One moment, please.", "Done."])
        assert.include(turnsOf(report), "agent: One moment, please.")
        assert.strictEqual(requests[1]?.request.messages.at(-1)?.role, "tool")
      }
    }))
})
