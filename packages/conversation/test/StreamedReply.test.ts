import { assert, describe } from "@effect/vitest"
import { ModelFailed } from "@trunkline/errors"
import { virtualTest } from "@trunkline/kernel/testing"
import { answers, ends, fails, hangs, says, sends, waits } from "@trunkline/models/testing"
import { Effect } from "effect"
import { turnsOf } from "./Fixtures.js"
import { balanceCall as call, calls } from "./StreamingCall.js"

const down = fails(new ModelFailed({ message: "down" }))
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
      const { texts } = yield* call({
        lines: ["Hi"],
        model,
        handlers: { balance: () => Effect.succeed({ content: "" }) }
      })
      assert.strictEqual(
        texts.slice(1, -1).join(" "),
        "Your account It is open. See the page for more."
      )
      assert.strictEqual(texts.at(-1), "That is all.")
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
      const { texts } = yield* call({ lines: ["Hi", "Well", "So"], model })
      assert.deepStrictEqual([texts[1], texts[2], texts.slice(3).join(" ")], [
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
        const { report, requests, texts } = yield* call({ lines: ["Hi", "Wait"], model, interruptAfter: 2 })
        assert.deepStrictEqual(texts, ["Hello.", "One is here.", "Two is here.", "Yes."])
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
      assert.strictEqual(report.fault, "The voice could not speak: the voice is away.")
    }))

  virtualTest("fails the call when the model fails before its first clause", () =>
    Effect.gen(function*() {
      const { reason } = yield* Effect.flip(call({ lines: ["Hi"], model: [[...says("Good"), down]] }))
      assert.strictEqual(reason, "The language model could not answer: down.")
    }))

  virtualTest("apologizes once and ends when the model fails after its first clause", () =>
    Effect.gen(function*() {
      const { report, texts } = yield* call({ lines: ["Hi", "More"], model: [[...says("It is open. ", "And"), down]] })
      assert.deepStrictEqual(texts.slice(0, 2), ["Hello.", "It is open."])
      assert.strictEqual(texts.filter((text) => text === "I am sorry, I cannot continue right now. Goodbye.").length, 1)
      assert.strictEqual(texts.at(-1), "I am sorry, I cannot continue right now. Goodbye.")
      assert.strictEqual(report.fault, "The language model could not answer: down.")
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
        const { requests, texts } = yield* call({ lines: ["Hi"], model: [script] })
        assert.closeTo(texts.slice(1).join(" ").length, 2_000, 25)
        assert.strictEqual(requests[0]?.closings, 1)
      }
    }))

  virtualTest("speaks signs that are meant", () =>
    Effect.gen(function*() {
      for (
        const [written, spoken] of [
          ["Press * to go back or # to end.", "Press * to go back or # to end."],
          ["Take C# and F#, or *121#.", "Take C# and F#, or *121#."],
          ["5 * 3 = 15, and B~9.", "5 * 3 = 15, and B~9."],
          ["It is *really* **very ~~un~~likely** or `so` __now__.", "It is really very unlikely or so now."],
          ["*This is long enough. And this too.*", "This is long enough. And this too."]
        ] as const
      ) {
        const { texts } = yield* call({ lines: ["Hi"], model: [answers(written)] })
        assert.strictEqual(texts.slice(1).join(" "), spoken)
      }
    }))

  virtualTest("is not cut by a long thought in its text", () =>
    Effect.gen(function*() {
      const thought = says("<think>", ...Array.from({ length: 300 }, () => "Let me see. "), "</think>")
      const { texts } = yield* call({ lines: ["Hi"], model: [[...thought, ...answers("We are open until nine.")]] })
      assert.deepStrictEqual(texts.slice(1), ["We are open until nine."])
    }))

  virtualTest("fails when the model sends nothing but empty texts", () =>
    Effect.gen(function*() {
      const empty = Array.from({ length: 30 }, () => [waits("5 seconds"), ...says("")]).flat()
      const { report } = yield* call({ lines: ["Hi"], model: [[...empty, hangs]] })
      assert.strictEqual(report.fault, "The language model could not answer: The model did not answer in time.")
    }))

  virtualTest("is cut when the model thinks and does not end", () =>
    Effect.gen(function*() {
      const thought = (count: number) =>
        Array.from({ length: count }, () => sends({ _tag: "Reasoning", text: "Let me think about it. " }))
      const { requests, texts } = yield* call({
        lines: ["Hi", "Well"],
        model: [[...thought(5_000), hangs], [...thought(500), ...answers("Yes.")]]
      })
      assert.deepStrictEqual(texts, ["Hello.", "Sorry, could you say that again?", "Yes."])
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
      const { texts } = yield* call({ lines: ["Hi"], model: [slow], heldUntil: 60_000 })
      assert.deepStrictEqual(texts, ["Hello.", "The bank is closed."])
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
      const { report, texts } = yield* call({ lines: ["Hi"], model: [[hangs]] })
      assert.deepStrictEqual(texts.slice(1), [
        "One moment, please.",
        "I am sorry, I cannot continue right now. Goodbye."
      ])
      assert.strictEqual(report.fault, "The language model could not answer: The model did not answer in time.")
    }))

  virtualTest("asks the caller to repeat when it has no words", () =>
    Effect.gen(function*() {
      const slow = [waits("7 seconds"), ends(0)]
      for (const script of [answers("**", " <br>", "---"), answers(), slow]) {
        const { texts } = yield* call({ lines: ["Hi"], model: [script] })
        assert.strictEqual(texts.at(-1), "Sorry, could you say that again?")
      }
    }))
})
