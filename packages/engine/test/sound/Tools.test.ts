import { assert, describe } from "@effect/vitest"
import { AgentTools } from "@trunkline/conversation"
import { testCallBrief } from "@trunkline/conversation/testing"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { LanguageModel, type Message } from "@trunkline/models"
import { answers, ends, fakeModel, type FakeStep, says, sends, waits } from "@trunkline/models/testing"
import { type AudibleCall, type CallerLine, runAudibleCall } from "@trunkline/turn-taking/testing"
import { type Duration, Effect, identity, Layer } from "effect"
import { soundLayer } from "./Fixtures.js"

interface ToolCall {
  readonly lines: ReadonlyArray<CallerLine>
  readonly model: ReadonlyArray<ReadonlyArray<FakeStep>>
  /** Time that the tool takes; none by default. */
  readonly takes?: Duration.DurationInput
}

const uses = (name: string): ReadonlyArray<FakeStep> => [
  sends({ _tag: "ToolStart", index: 0, id: "call-1", name }, { _tag: "ToolArgs", index: 0, text: "{}" }),
  ends(1)
]

const question: CallerLine = { say: "What is my balance?", afterAgent: "500 millis" }

/** A call whose agent has a tool `balance`; time goes on while it works. Returns its requests of the model, and its uses. */
const callWith = ({ lines, model, takes = 0 }: ToolCall) =>
  Effect.gen(function*() {
    const fake = fakeModel(model)
    let used = 0
    const balance = () =>
      Effect.suspend(() => {
        used += 1
        return Effect.delay(Effect.succeed({ content: "12 rupees" }), takes)
      })
    const layer = soundLayer({
      version: { first_message: "Hello.", tools: [{ name: "balance", description: "balance" }] },
      model: Layer.succeed(LanguageModel, fake),
      tools: AgentTools.layerOf({ balance })
    })
    const time = yield* BusinessTime
    const call = yield* runAudibleCall({ brief: testCallBrief, lines, longest: "40 seconds" }).pipe(
      Effect.provide(layer),
      Effect.provideService(BusinessTime, { ...time, hold: identity })
    )
    return { call, used, messages: fake.calls.map(({ request }) => request.messages.slice(1)) }
  })

const textsOf = ({ report }: AudibleCall): ReadonlyArray<string> =>
  report.transcript.map(({ en_text, role }) => `${role}: ${en_text}`)

const contentsOf = (messages: ReadonlyArray<Message> | undefined): ReadonlyArray<string> =>
  (messages ?? []).map(({ content, role }) => `${role}: ${String(content)}`)

describe("a tool in a call with sound", () => {
  virtualTest("is answered together with what the caller says while it works", () =>
    Effect.gen(function*() {
      const { call, messages } = yield* callWith({
        lines: [question, { say: "In dollars, please.", after: "1 second" }, { press: "42#", after: "200 millis" }],
        model: [uses("balance"), answers("A quarter of a dollar.")],
        takes: "6 seconds"
      })
      assert.deepStrictEqual(textsOf(call).slice(0, 5), [
        "agent: Hello.",
        "user: What is my balance?",
        "tool: 12 rupees",
        "user: In dollars, please. 42#",
        "agent: A quarter of a dollar."
      ])
      assert.deepStrictEqual(contentsOf(messages.at(-1)).slice(-2), [
        "tool: 12 rupees",
        "user: In dollars, please. 42#"
      ])
    }))

  for (
    const [how, line] of [
      ["by voice", { say: "Actually, cancel that.", after: "1500 millis" }],
      ["with a key", { press: "9", after: "1500 millis" }]
    ] as const
  ) {
    virtualTest(`does not keep the caller from going on before the answer, ${how}`, () =>
      Effect.gen(function*() {
        const slow = [waits("4 seconds"), ...answers("You have twelve rupees. Shall I transfer them now?")]
        const { call } = yield* callWith({
          lines: [question, line],
          model: [uses("balance"), slow, answers("Cancelled.")]
        })
        assert.deepStrictEqual(textsOf(call).slice(1, 5), [
          "user: What is my balance?",
          "tool: 12 rupees",
          `user: ${"say" in line ? line.say : line.press}`,
          "agent: Cancelled."
        ])
      }))
  }

  virtualTest("is not used, and the model knows, when the caller interrupts", () =>
    Effect.gen(function*() {
      // The agent has asked for a moment after 6 s.
      const slow = [waits("7500 millis"), ...uses("balance")]
      const lines: ReadonlyArray<CallerLine> = [question, { say: "Are you still there?", after: "7 seconds" }]
      const { messages, used } = yield* callWith({ lines, model: [slow, answers("Yes.")] })
      assert.strictEqual(used, 0)
      assert.deepStrictEqual(contentsOf(messages[1]).slice(-3), [
        "assistant: One moment,",
        "tool: Not done: the caller spoke first.",
        "user: Are you still there?"
      ])
    }))

  virtualTest("does not end a call whose caller interrupts the goodbye", () =>
    Effect.gen(function*() {
      const { call } = yield* callWith({
        lines: [question, { say: "Wait, I have a question.", intoAgent: "1 second" }],
        model: [[...says("Goodbye to you, it was nice to have you."), ...uses("end_call")], answers("Yes, please.")]
      })
      assert.deepStrictEqual(textsOf(call).slice(3, 5), ["user: Wait, I have a question.", "agent: Yes, please."])
    }))

  virtualTest("is not used after the caller has hung up, and the model is not asked", () =>
    Effect.gen(function*() {
      const thinks = [waits("3 seconds"), ...uses("balance")]
      const hangUp: CallerLine = { hangUp: true, after: "1 second" }
      const thinking = yield* callWith({ lines: [question, hangUp], model: [thinks] })
      assert.deepStrictEqual([thinking.used, thinking.messages.length], [0, 1])
      const working = yield* callWith({ lines: [question, hangUp], model: [uses("balance")], takes: "3 seconds" })
      assert.deepStrictEqual([working.used, working.messages.length], [1, 1])
      assert.strictEqual(working.call.report.ended_by, "user")
    }))

  virtualTest("loses no words of a caller who hangs up while it works", () =>
    Effect.gen(function*() {
      const { call } = yield* callWith({
        lines: [question, { say: "Goodbye.", after: "1 second" }, { press: "7", hangUp: true, after: "1 second" }],
        model: [uses("balance")],
        takes: "5 seconds"
      })
      assert.deepStrictEqual(textsOf(call).slice(1), [
        "user: What is my balance?",
        "tool: 12 rupees",
        "user: Goodbye. 7"
      ])
      assert.isTrue(call.report.agent_done)
    }))
})
