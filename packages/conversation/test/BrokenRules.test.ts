import { assert, describe } from "@effect/vitest"
import { AgentTools } from "@trunkline/conversation"
import { runTestCall } from "@trunkline/conversation/testing"
import { virtualTest } from "@trunkline/kernel/testing"
import { LanguageModel } from "@trunkline/models"
import { fakeModel, says } from "@trunkline/models/testing"
import { Array as Arr, Effect, Layer, Logger, Metric } from "effect"
import { promptAgent } from "./Fixtures.js"
import { done, type ToolCallOptions, uses, usesAll } from "./ToolCall.js"

/** The warnings of a call on rules that it broke. */
const warningsOf = (
  { conversation = {}, lines = ["Please"], model, tool = {} }:
    & Pick<ToolCallOptions, "conversation" | "lines" | "model">
    & { readonly tool?: object }
) => {
  const warnings: Array<string> = []
  const logger = Logger.make(({ message }) => void warnings.push(Arr.ensure(message).join(" ")))
  const version = promptAgent({
    first_message: "Hello.",
    tools: [{ name: "book", description: "Books a table", ...tool }]
  })
  return Effect.as(runTestCall({ version, lines, conversation }), warnings).pipe(
    Effect.provide(Layer.mergeAll(
      Layer.succeed(LanguageModel, fakeModel(model)),
      AgentTools.layerOf({ book: () => Effect.succeed({ content: "Booked." }) }),
      Logger.replace(Logger.defaultLogger, logger)
    ))
  )
}

const rulesIn = (warnings: ReadonlyArray<string>) => warnings.map((warning) => /calls?: (.+)\.$/.exec(warning)?.[1])

/** Number of calls that were counted as broken by a rule. */
const countOf = (rule: string): number =>
  Metric.unsafeSnapshot().flatMap(({ metricKey, metricState }) =>
    metricKey.name === "trunkline_broken_call_rules_total" && metricKey.tags.some(({ value }) => value === rule)
      ? [Number(Object(metricState).count)]
      : []
  )[0] ?? 0

describe("the rules of every call, at the end of a call", () => {
  virtualTest(
    "are broken by a tool that runs again with the same arguments, unless it may",
    () =>
      Effect.gen(function*() {
        const model = [uses("book", { name: "Asha" }), uses("book", { name: "Asha" }), done]
        const before = countOf("tool-twice")
        const warnings = yield* warningsOf({ model })
        assert.deepStrictEqual(rulesIn(warnings), ["tool-twice"])
        assert.notInclude(warnings.join(), "Asha")
        assert.strictEqual(countOf("tool-twice"), before + 1)
        assert.deepStrictEqual(yield* warningsOf({ model, tool: { repeatable: true } }), [])
      })
  )

  virtualTest("are broken by the same answer again and again", () =>
    Effect.gen(function*() {
      const model = [says("What is your name, please?")]
      const lines = ["Asha", "I said Asha", "Asha!", { hangUp: true }]
      assert.deepStrictEqual(rulesIn(yield* warningsOf({ model, lines })), ["loop"])
    }))

  virtualTest("are named together in one warning", () =>
    Effect.gen(function*() {
      const round = says("What is your name, please?")
      const model = [usesAll(["book", "book"]), round, round, round]
      const lines = ["Please", "Asha", "I said Asha", { hangUp: true }]
      assert.deepStrictEqual(rulesIn(yield* warningsOf({ model, lines })), ["tool-twice, loop"])
    }))

  virtualTest("hold in a good call, and are not checked where that is off", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* warningsOf({ model: [uses("book"), done] }), [])
      const model = [usesAll(["book", "book"]), done]
      assert.deepStrictEqual(yield* warningsOf({ model, conversation: { checkCalls: false } }), [])
    }))
})
