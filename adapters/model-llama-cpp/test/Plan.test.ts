import { assert, describe, it } from "@effect/vitest"
import type { ModelRequest, ModelTool } from "@trunkline/models"
import { Either } from "effect"
import { type LlamaPlan, planOf } from "../src/Plan.js"

const tools: ReadonlyArray<ModelTool> = [
  {
    name: "look",
    parameters: { type: "object", properties: { at: { anyOf: [{ type: "string" }, { type: "null" }] } } }
  },
  { name: "roll" }
]
const schema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] }
const format = { type: "schema", name: "verdict", description: "All or nothing.", schema, strict: true } as const

const planned = (more: Partial<ModelRequest>): LlamaPlan =>
  Either.getOrThrow(planOf({
    model: "core-105b",
    messages: [{ role: "system", content: "Be brief." }, { role: "user", content: "Hi" }],
    ...more
  }))

const complaint = (more: Partial<ModelRequest>): string =>
  Either.getOrThrow(Either.flip(planOf({ model: "core-105b", messages: [], ...more }))).message

const instructions = ({ history }: LlamaPlan) => history.flatMap((item) => item.type === "system" ? [item.text] : [])

describe("the plan of a request", () => {
  it("has all allowed tools with their descriptions", () => {
    const auto = planned({ tools })
    assert.deepStrictEqual([...auto.callable.keys()], ["look", "roll"])
    assert.isNull(auto.callable.get("roll"))
    assert.isFalse(auto.mustCall)
    assert.isTrue(auto.allowsParallelCalls)
    const plan = planned({ tools, toolChoice: { name: "roll" } })
    assert.deepStrictEqual([...plan.callable.keys()], ["roll"])
    assert.deepStrictEqual(Object.keys(plan.tools), ["look", "roll"])
    assert.isTrue(plan.mustCall)
    assert.isFalse(plan.allowsParallelCalls)
    assert.isFalse(planned({ tools, parallelTools: false }).allowsParallelCalls)
    const none = planned({ tools, toolChoice: "none" })
    assert.deepStrictEqual([none.tools, none.callable.size], [{}, 0])
  })

  it("describes alternatives in schemas with the keyword that templates know", () => {
    assert.deepStrictEqual(planned({ tools }).tools.look?.params, {
      type: "object",
      properties: { at: { oneOf: [{ type: "string" }, { type: "null" }] } }
    })
  })

  it("has a grammar for a completion with a schema, and describes the schema after the other instructions", () => {
    const plan = planned({ format })
    assert.include(plan.grammar, "ok")
    assert.deepStrictEqual(plan.history.map(({ type }) => type), ["system", "system", "user"])
    assert.include(instructions(plan)[1], JSON.stringify(schema))
    assert.include(instructions(plan)[1], "All or nothing.")
    assert.include(planned({ format: { type: "json" } }).grammar, "object")
    assert.isNull(planned({ format: { type: "text" } }).grammar)
  })

  it("turns a completion with a schema into another tool if there are tools", () => {
    const plan = planned({ format, tools: [...tools, { name: "answer" }] })
    assert.strictEqual(plan.answerTool, "answer_")
    assert.isTrue(plan.mustCall)
    assert.isNull(plan.grammar)
    assert.deepStrictEqual(plan.tools.answer_?.params, schema)
    assert.include(plan.callable.get("answer_") ?? "", "ok")
    assert.deepStrictEqual(instructions(plan), ["Be brief."])
    assert.isNull(planned({ format, tools, toolChoice: "required" }).answerTool)
  })

  it("rejects strict schemas that no grammar can enforce, and accepts them if they are not strict", () => {
    const parameters = { type: "object", properties: { mail: { type: "string", format: "email", pattern: "@" } } }
    assert.include(complaint({ tools: [{ name: "send", parameters, strict: true }] }), "send")
    assert.include(complaint({ tools: [{ name: "send", parameters, strict: true }] }), "format")
    assert.include(complaint({ format: { ...format, schema: parameters } }), "verdict")
    assert.isTrue(planned({ tools: [{ name: "send", parameters }] }).callable.has("send"))
  })

  it("has the sampling defaults of llama.cpp", () => {
    assert.deepStrictEqual(planned({}).sampling, { temperature: 0.8, topP: 0.95, topK: 0, repeatPenalty: false })
    const sampling = { temperature: 0, topP: 0.5, topK: 3, presencePenalty: 1, frequencyPenalty: 0.5 }
    assert.deepStrictEqual(planned({ sampling }).sampling, {
      temperature: 0,
      topP: 0.5,
      topK: 3,
      repeatPenalty: {
        lastTokens: 4_096,
        penalty: 1,
        penalizeNewLine: true,
        frequencyPenalty: 0.5,
        presencePenalty: 1
      }
    })
  })

  it("passes the reasoning effort", () => {
    assert.strictEqual(planned({}).thoughtTokens, Infinity)
    assert.strictEqual(planned({ effort: null }).thoughtTokens, 0)
    const [low, medium, max] = (["low", "medium", "max"] as const).map((effort) => planned({ effort }).thoughtTokens)
    assert.isTrue((low ?? 0) < (medium ?? 0) && (medium ?? 0) < (max ?? 0))
  })
})
