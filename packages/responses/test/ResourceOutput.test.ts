import { assert, describe, it } from "@effect/vitest"
import type { Completion } from "@trunkline/models"
import { Effect } from "effect"
import { requestId } from "./fixtures.js"
import { answered, message, request } from "./ResourceFixtures.js"

const thought = (text: string, status = "completed") => ({
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
    ["has reasoning first, if there is any", { reasoning: "Hm." }, {}, [thought("Hm."), message("Hello there", 1)]],
    ["has empty reasoning on model-g when the model reveals none", {}, { model: "model-g" }, [
      thought(""),
      message("Hello there", 1)
    ]],
    ["has the reasoning of model-g", { reasoning: "Hm." }, { model: "model-g" }, [
      thought("Hm."),
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
      "has thoughts of model-g beside JSON by a schema that is not strict",
      { text: "{}" },
      json({ type: "json_schema", name: "a", schema: {} }),
      [thought(""), message("{}", 1)]
    ],
    [
      "has thoughts of other models beside JSON",
      { reasoning: "Hm.", text: "{}" },
      { model: "model-d", text: { format: { type: "json_object" } } },
      [thought("Hm."), message("{}", 1)]
    ],
    [
      "has calls after the words, in their order",
      { toolRequests: [request, { ...request, id: "call_b" }], finish: "tool_calls" },
      {},
      [message("Hello there"), call(1), call(2, { call_id: "call_b" })]
    ],
    ["may be calls alone", { text: "", toolRequests: [request], finish: "tool_calls" }, {}, [call(0)]],
    [
      "has {} for arguments that there are none of",
      { text: "", toolRequests: [{ ...request, arguments: "" }], finish: "tool_calls" },
      {},
      [call(0, { arguments: "{}" })]
    ],
    [
      "has an id for a call to which the model gave none",
      { text: "", toolRequests: [{ ...request, id: "" }], finish: "tool_calls" },
      {},
      [call(0, { call_id: `call_${requestId}_0` })]
    ],
    [
      "leaves arguments that are no JSON as the model wrote them",
      { text: "", toolRequests: [{ ...request, arguments: "{oops" }], finish: "tool_calls" },
      {},
      [call(0, { arguments: "{oops" })]
    ],
    ["has refusals as such", { text: "", refusal: "I will not." }, {}, [{
      ...message(""),
      content: [{ type: "refusal", refusal: "I will not." }]
    }]],
    ["ends with what was cut short", { finish: "length" }, {}, [message("Hello there", 0, "incomplete")]],
    [
      "ends with thoughts that were cut short",
      { text: "", reasoning: "Hm", finish: "length" },
      {},
      [thought("Hm", "incomplete")]
    ],
    ["is empty when everything was cut off", { text: "", finish: "length" }, {}, []],
    [
      "has thoughts of model-g although everything was cut off",
      { text: "", finish: "length" },
      { model: "model-g" },
      [thought("", "incomplete")]
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
