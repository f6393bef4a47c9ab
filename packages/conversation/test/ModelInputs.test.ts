import { assert, describe } from "@effect/vitest"
import { runTestCall } from "@trunkline/conversation/testing"
import { ModelFailed } from "@trunkline/errors"
import { virtualTest } from "@trunkline/kernel/testing"
import { contentText, LanguageModel, type ModelRequest } from "@trunkline/models"
import { answers, ends, fails, fakeModel, says } from "@trunkline/models/testing"
import { always, ScriptedModel } from "@trunkline/scripted-model"
import { CallFault, type CallReport } from "@trunkline/telephony"
import { Effect, Layer } from "effect"
import { promptAgent, quiet } from "./Fixtures.js"
import { balanceCall, calls } from "./StreamingCall.js"

const down = fails(new ModelFailed({ message: "the server is down" }))
const sets = (city: string) => [...calls("set_variables", { city }), ends(3)]

/** Texts of the requests that notes stand for, the instructions first. */
const rebuilt = ({ model_inputs = [] }: CallReport): ReadonlyArray<ReadonlyArray<string>> => {
  let system = ""
  let messages: ReadonlyArray<string> = []
  return model_inputs.map((input) => {
    system = input.system ?? system
    messages = [
      ...messages.slice(0, input.kept_messages),
      ...input.messages.map(({ content, role }) => `${role}: ${content}`)
    ]
    return [system, ...messages]
  })
}

const textsOf = ({ messages }: ModelRequest): ReadonlyArray<string> =>
  messages.map((message) =>
    message.role === "system"
      ? message.content
      : `${message.role}: ${message.content === null ? null : contentText(message.content)}`
  )

describe("what the model was sent during a call", () => {
  virtualTest(
    "can be rebuilt from the notes, request by request, with each part only when it changes",
    () =>
      Effect.gen(function*() {
        const { report, requests } = yield* balanceCall({
          lines: ["What is my balance?", "I moved to Pune.", "Thank you."],
          model: [
            [...calls("balance"), ends(3)],
            answers("It is seven."),
            sets("Pune"),
            answers("Noted."),
            answers("Bye.")
          ],
          handlers: { balance: () => Effect.succeed({ content: "7" }) }
        })
        const { model_inputs = [] } = report
        assert.isAbove(model_inputs.length, 3)
        assert.deepStrictEqual(rebuilt(report), requests.map(({ request }) => textsOf(request)))
        const [first, second] = model_inputs
        assert.deepInclude(first, { turn: 2, kept_messages: 0, outcome: "answered", input_tokens: 1, output_tokens: 3 })
        assert.include(first?.tools ?? [], "balance")
        assert.deepStrictEqual(first?.options, { effort: null })
        assert.notProperty(second, "system")
        assert.notProperty(second, "tools")
        assert.notProperty(second, "options")
        assert.deepStrictEqual(second?.messages, [
          { role: "assistant", content: null, tool_calls: [{ name: "balance", arguments: "{}" }] },
          { role: "tool", tool_name: "balance", content: "7" }
        ])
        const changed = model_inputs.filter(({ system }) => system !== undefined)
        assert.lengthOf(changed, 1, "what is learnt on the way is in the messages, and the instructions stay")
        assert.isTrue(model_inputs.some(({ messages }) => JSON.stringify(messages).includes("Pune")))
      })
  )

  virtualTest("tells that the model failed, and why, also before its first word", () =>
    Effect.gen(function*() {
      const { report } = yield* balanceCall({
        lines: ["Hi", "Go on"],
        model: [answers("Yes."), [...says("Well, "), down]]
      })
      assert.deepInclude(report.model_inputs?.at(-1), { outcome: "failed", failure: "the server is down" })
      const fault = yield* Effect.flip(quiet(balanceCall({ lines: ["Hi"], model: [[down]] })))
      assert.instanceOf(fault, CallFault)
      assert.strictEqual(fault.model_inputs?.[0]?.outcome, "failed")
    }))

  virtualTest("is there on calls by text, and only while it is kept", () =>
    Effect.gen(function*() {
      const call = { version: promptAgent(), lines: ["Hello?"] }
      const model = ScriptedModel.layer([{ when: always, reply: "Yes." }])
      const { report } = yield* Effect.provide(runTestCall(call), model)
      assert.strictEqual(report.model_inputs?.[0]?.messages.at(-1)?.content, "Hello?")
      const without = yield* Effect.provide(runTestCall({ ...call, conversation: { modelInputs: false } }), model)
      assert.notProperty(without.report, "model_inputs")
    }))

  virtualTest("is bounded, counts what it lacks, and holds no secrets", () =>
    Effect.gen(function*() {
      const key = `sk-${"a1B2".repeat(6)}`
      const long = `Use the key ${key}. ${"word ".repeat(3_000)}`
      const model = fakeModel([answers("Yes.")])
      const lines = Array.from({ length: 12 }, (_, index) => `${index} ${"said ".repeat(2_000)}`)
      const { report } = yield* runTestCall({ version: promptAgent({ prompt: long }), lines }).pipe(
        Effect.provide(Layer.succeed(LanguageModel, model))
      )
      const text = JSON.stringify(report.model_inputs)
      assert.isBelow(text.length, 70_000)
      assert.notInclude(text, key)
      const [first] = report.model_inputs ?? []
      assert.lengthOf(first?.system ?? "", 8_000)
      assert.isAbove(first?.omitted ?? 0, 7_000)
      assert.isAbove(report.model_inputs?.at(-1)?.omitted ?? 0, 9_000)
    }))

  virtualTest("tells of an answer that was given up", () =>
    Effect.gen(function*() {
      const { report } = yield* balanceCall({
        lines: ["What is my balance?"],
        model: [[...calls("balance"), ends(3)], answers("It is seven.")],
        handlers: { balance: () => Effect.succeed({ content: "7" }) },
        meanwhile: "And one more thing."
      })
      const outcomes = report.model_inputs?.map(({ outcome }) => outcome) ?? []
      assert.notInclude(outcomes, "given_up", "what was not sent is not noted")
      assert.deepStrictEqual(rebuilt(report).at(-1)?.at(-1), "user: And one more thing.")
    }))

  virtualTest("of a call of 50 turns is not 50 histories", () =>
    Effect.gen(function*() {
      const model = fakeModel([answers("word ".repeat(40))])
      const lines = Array.from({ length: 50 }, (_, index) => `${index} ${"said ".repeat(40)}`)
      const { report } = yield* runTestCall({ version: promptAgent({ max_duration_seconds: 3_600 }), lines }).pipe(
        Effect.provide(Layer.succeed(LanguageModel, model))
      )
      assert.lengthOf(report.model_inputs ?? [], 50)
      const kept = JSON.stringify(report.model_inputs).length
      const whole = model.calls.reduce((sum, { request }) => sum + JSON.stringify(request.messages).length, 0)
      assert.isBelow(kept, 40_000)
      assert.isAbove(whole, 15 * kept)
    }))
})
