import { assert, describe, it } from "@effect/vitest"
import type { Completion } from "@trunkline/models"
import { Effect } from "effect"
import { requestId } from "./Fixtures.js"
import { answered, message, request } from "./ResourceFixtures.js"

const reasoning = (text: string, status = "completed") => ({
  type: "reasoning",
  id: `rs_${requestId}_0`,
  status,
  summary: [{ type: "summary_text", text }]
})

const call = (index: number, parts: object = {}) => ({
  type: "function_call",
  id: `fc_${requestId}_${index}`,
  status: "completed",
  call_id: "call_a",
  name: "look_up",
  arguments: "{\"q\":1}",
  ...parts
})

const json = (format: object) => ({ model: "model-g", text: { format } })

describe("the output of a response", () => {
  const rows: ReadonlyArray<
    readonly [about: string, answer: Partial<Completion>, more: object, output: ReadonlyArray<object>]
  > = [
    ["is the text of the model", {}, {}, [message("Hello there")]],
    ["is an empty message when the model writes nothing", { text: "" }, {}, [message("")]],
    ["has reasoning first, if there is any", { reasoning: "Hm." }, {}, [reasoning("Hm."), message("Hello there", 1)]],
    ["has empty reasoning on model-g when the model reveals none", {}, { model: "model-g" }, [
      reasoning(""),
      message("Hello there", 1)
    ]],
    ["has the reasoning of model-g", { reasoning: "Hm." }, { model: "model-g" }, [
      reasoning("Hm."),
      message("Hello there", 1)
    ]],
    ["has no reasoning of model-g beside JSON", { reasoning: "Hm.", text: "{}" }, json({ type: "json_object" }), [
      message("{}")
    ]],
    [
      "has no reasoning of model-g beside JSON with a strict schema",
      { reasoning: "Hm.", text: "{}" },
      json({ type: "json_schema", name: "a", schema: {}, strict: true }),
      [message("{}")]
    ],
    [
      "has reasoning of model-g beside JSON by a schema that is not strict",
      { text: "{}" },
      json({ type: "json_schema", name: "a", schema: {} }),
      [reasoning(""), message("{}", 1)]
    ],
    [
      "has reasoning of other models beside JSON",
      { reasoning: "Hm.", text: "{}" },
      { model: "model-d", text: { format: { type: "json_object" } } },
      [reasoning("Hm."), message("{}", 1)]
    ],
    [
      "has calls after the text, in their order",
      { toolRequests: [request, { ...request, id: "call_b" }], finish: "tool_calls" },
      {},
      [message("Hello there"), call(1), call(2, { call_id: "call_b" })]
    ],
    ["may consist of calls only", { text: "", toolRequests: [request], finish: "tool_calls" }, {}, [call(0)]],
    [
      "has {} for missing arguments",
      { text: "", toolRequests: [{ ...request, arguments: "" }], finish: "tool_calls" },
      {},
      [call(0, { arguments: "{}" })]
    ],
    [
      "generates an id for a call without one",
      { text: "", toolRequests: [{ ...request, id: "" }], finish: "tool_calls" },
      {},
      [call(0, { call_id: `call_${requestId}_0` })]
    ],
    [
      "keeps arguments that are not JSON as they are",
      { text: "", toolRequests: [{ ...request, arguments: "{oops" }], finish: "tool_calls" },
      {},
      [call(0, { arguments: "{oops" })]
    ],
    ["has refusals as refusal parts", { text: "", refusal: "I will not." }, {}, [{
      ...message(""),
      content: [{ type: "refusal", refusal: "I will not." }]
    }]],
    ["ends with the truncated message", { finish: "length" }, {}, [message("Hello there", 0, "incomplete")]],
    [
      "ends with truncated reasoning",
      { text: "", reasoning: "Hm", finish: "length" },
      {},
      [reasoning("Hm", "incomplete")]
    ],
    ["is empty when the model was cut off before its first text", { text: "", finish: "length" }, {}, []],
    [
      "has empty reasoning of model-g when the model was cut off before its first text",
      { text: "", finish: "length" },
      { model: "model-g" },
      [reasoning("", "incomplete")]
    ],
    [
      "ends with the first truncated call",
      { toolRequests: [request, { ...request, arguments: "{\"q\":" }, { ...request, id: "call_c" }], finish: "length" },
      {},
      [message("Hello there"), call(1), call(2, { arguments: "{\"q\":", status: "incomplete" })]
    ],
    [
      "has empty arguments for a call truncated before them",
      { text: "", toolRequests: [{ ...request, arguments: "" }], finish: "length" },
      {},
      [call(0, { arguments: "", status: "incomplete" })]
    ]
  ]

  for (const [about, answer, more, output] of rows) {
    it.effect(about, () =>
      Effect.gen(function*() {
        const response = yield* answered(answer, more)
        assert.deepStrictEqual<ReadonlyArray<object>>(response.output, output)
      }))
  }
})
