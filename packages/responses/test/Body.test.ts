import { assert, describe, it } from "@effect/vitest"
import { type Invalid, type NotFound, responsesEnvelope } from "@trunkline/errors"
import { ResponseBody, Responses } from "@trunkline/responses"
import { Effect } from "effect"
import { bodyWith, scripted } from "./fixtures.js"

const read = (body: unknown) => Effect.flatMap(Responses, (responses) => responses.read(body))

/** The status, the field and the message of the HTTP response for a failure. */
const errorFor = (failure: Invalid | NotFound) => {
  const { body: { error: { message, param } }, status } = responsesEnvelope(failure, null)
  return { status, param, message }
}

const tool = { type: "function", name: "look_up" }
const image = { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" }
const call = { type: "function_call", call_id: "call_1", name: "look_up", arguments: "{}" }
const parts = (...content: ReadonlyArray<object>) => ({ input: [{ role: "user", content }] })
const format = (more: object) => ({ text: { format: { type: "json_schema", ...more } } })
const schema = { name: "person", schema: { type: "object" } }

const optionalFields = Object.keys(ResponseBody.fields).filter((name) => name !== "model" && name !== "input")

const accepted: ReadonlyArray<readonly [about: string, more: object]> = [
  ["a text as input", {}],
  ["one item as input", { input: { role: "user", content: "hello" } }],
  ["a typed message", { input: { type: "message", role: "user", content: "hello" } }],
  ["an item whose type is null", { input: { type: null, role: "user", content: "hello" } }],
  ["an empty message", { input: { role: "user", content: "" } }],
  ["every role", { input: ["user", "assistant", "system", "developer"].map((role) => ({ role, content: "x" })) }],
  ["a message in parts", parts({ type: "input_text", text: "a" }, { type: "output_text", text: "b" })],
  [
    "a message in very many parts",
    parts(...Array.from({ length: 5_000 }, () => ({ type: "input_text", text: "a" })))
  ],
  ["an image on a model with vision", { model: "model-v", ...parts(image) }],
  ["an image with its detail", { model: "model-v", ...parts({ ...image, detail: "low" }) }],
  ["an image with a detail of null", { model: "model-v", ...parts({ ...image, detail: null }) }],
  ["an image as a tool's result", {
    model: "model-v",
    input: [call, { type: "function_call_output", call_id: "call_1", output: [image] }]
  }],
  ["a call and its result", { input: [call, { type: "function_call_output", call_id: "call_1", output: "42" }] }],
  ["a result in parts", {
    input: [call, { type: "function_call_output", call_id: "call_1", output: [{ type: "input_text", text: "42" }] }]
  }],
  ["reasoning without a summary", { input: [{ type: "reasoning", summary: [] }, { role: "user", content: "x" }] }],
  ["encrypted reasoning", {
    input: [{ type: "reasoning", id: "rs_1", encrypted_content: "abc", summary: [] }, { role: "user", content: "x" }]
  }],
  ["unchanged output items", {
    input: [
      {
        type: "reasoning",
        id: "rs_1",
        status: "completed",
        summary: [{ type: "summary_text", text: "hm" }],
        content: null
      },
      {
        type: "message",
        id: "msg_1",
        status: "completed",
        role: "assistant",
        content: [
          { type: "output_text", text: "hi", annotations: [], logprobs: [] },
          { type: "refusal", refusal: "no" }
        ]
      },
      { ...call, id: "fc_1", status: "completed" }
    ]
  }],
  ["stream true", { stream: true }],
  ["stream false", { stream: false }],
  ["one token of output", { max_output_tokens: 1 }],
  ["temperatures from 0", { temperature: 0 }],
  ["temperatures to 2", { temperature: 2 }],
  ["a small top_p", { top_p: 0.001 }],
  ["a top_p of 1", { top_p: 1 }],
  ["a top_k of -1", { top_k: -1 }],
  ["a top_k of 1", { top_k: 1 }],
  ["penalties from -2 to 2", { frequency_penalty: -2, presence_penalty: 2 }],
  ["store when it is false", { store: false }],
  ["background when it is false", { background: false }],
  ["an empty list of tools", { tools: [] }],
  ["a tool with only a name", { tools: [tool] }],
  ["a tool with everything", {
    tools: [{ ...tool, description: "Looks up", parameters: { type: "object", properties: {} }, strict: true }]
  }],
  ["a tool with nulls", { tools: [{ ...tool, description: null, parameters: null, strict: null }] }],
  ["a tool's longest name", { tools: [{ ...tool, name: "a".repeat(64) }] }],
  ["a required tool choice", { tools: [tool], tool_choice: "required" }],
  ["tool_choice none without tools", { tool_choice: "none" }],
  ["tool_choice auto without tools", { tool_choice: "auto", tools: [] }],
  ["tool_choice by name", { tools: [tool], tool_choice: tool }],
  ["parallel_tool_calls false", { parallel_tool_calls: false }],
  ["parallel_tool_calls true", { parallel_tool_calls: true }],
  ["low effort on model-g", { model: "model-g", reasoning: { effort: "low" } }],
  ["high effort on model-g", { model: "model-g", reasoning: { effort: "high", summary: "auto" } }],
  ["a detailed summary on model-g", { model: "model-g", reasoning: { summary: "detailed" } }],
  ["low effort on model-d", { model: "model-d", reasoning: { effort: "low" } }],
  ["high effort on model-d", { model: "model-d", reasoning: { effort: "high" } }],
  ["max effort on model-d", { model: "model-d", reasoning: { effort: "max" } }],
  ["reasoning of nulls on a model that takes none", { reasoning: { effort: null, summary: null } }],
  ["empty reasoning on a model that takes none", { model: "model-v", reasoning: {} }],
  ["plain text", { text: { format: { type: "text" } } }],
  ["the JSON format", { text: { format: { type: "json_object" } } }],
  ["JSON with a schema", format(schema)],
  ["JSON with a strict schema", format({ ...schema, strict: true, description: "A person" })],
  ["a schema with nulls", format({ ...schema, strict: null, description: null })],
  ["a schema's longest name", format({ ...schema, name: "a".repeat(64) })],
  ["n and seed, which are ignored", { n: 3, seed: -1 }],
  ["metadata", { metadata: { a: "1" } }],
  ["top_logprobs of 0", { top_logprobs: 0 }],
  ["top_logprobs of 20", { top_logprobs: 20 }],
  ["truncation auto", { truncation: "auto" }],
  ["keys and ids to echo", {
    prompt_cache_key: "k",
    prompt_cache_retention: "24h",
    safety_identifier: "s",
    user: "u"
  }],
  ["fields of other services", { include: ["reasoning.encrypted_content"], stream_options: {}, service_tier: "flex" }],
  ["unknown fields", { shoe_size: 43 }],
  ["extra fields for the provider", { extra_body: { guided_regex: "a+", min_p: 0.1 } }],
  ["an empty extra_body", { extra_body: {} }],
  ["null for all optional fields", Object.fromEntries(optionalFields.map((name) => [name, null]))]
]

const notStored = "Responses are not kept: send the whole conversation in input"
const reference =
  "Responses are not kept: send the item itself in place of a reference to it. In the AI SDK, set store to false."
const inside = "This field has its place in the body itself"
const name64 = "Must be 1 to 64 letters, digits, underscores and dashes"
const noSchema = "Must have one or more of array, boolean, integer, null, number, object, string in \"type\""
const nested = "Send name, description, parameters and strict beside type; only chat completions nest them"
const noReasoning = "This model takes no reasoning: leave it out"

const rejected: ReadonlyArray<readonly [about: string, more: object, param: string, sentence: string]> = [
  ["a missing input", { input: undefined }, "input", "This field is required"],
  ["an empty text", { input: "" }, "input", "Must have at least 1 character"],
  ["an empty list", { input: [] }, "input", "Must have at least 1 item"],
  ["a number as input", { input: 5 }, "input", "Must be a string, an object or a list"],
  ["null as input", { input: null }, "input", "Must be a string, an object or a list"],
  ["a number among the items", { input: [5] }, "input.0", "Must be an object"],
  ["a reference to an item", { input: [{ type: "item_reference", id: "msg_1" }] }, "input.0", reference],
  ["a reference that leaves out its type", { input: [{ id: "msg_1" }] }, "input.0", reference],
  ["a reference whose type is null", { input: { type: null, id: "msg_1" } }, "input", reference],
  [
    "an unsupported item",
    { input: [{ type: "web_search_call", id: "ws_1" }] },
    "input.0.type",
    "Must be \"message\", \"function_call\", \"function_call_output\" or \"reasoning\""
  ],
  [
    "a role of chat completions",
    { input: [{ role: "tool", content: "x" }] },
    "input.0.role",
    "Must be \"user\", \"assistant\", \"system\" or \"developer\""
  ],
  ["a message without content", { input: [{ role: "user" }] }, "input.0.content", "This field is required"],
  [
    "a message whose content is null",
    { input: [{ role: "user", content: null }] },
    "input.0.content",
    "Must be a string or a list"
  ],
  [
    "an unsupported part",
    parts({ type: "input_file", file_id: "f" }),
    "input.0.content.0.type",
    "Must be \"input_text\", \"output_text\", \"refusal\" or \"input_image\""
  ],
  ["a part without its text", parts({ type: "input_text" }), "input.0.content.0.text", "This field is required"],
  ["an image on a model without vision", parts(image), "input.0.content.0.image_url", "This model takes no images"],
  [
    "an image by URL",
    { model: "model-v", ...parts({ ...image, image_url: "https://example.com/cat.png" }) },
    "input.0.content.0.image_url",
    "Images must be sent inline, as a data: URL; addresses are not fetched"
  ],
  [
    "an image with invalid bytes",
    { model: "model-v", ...parts({ ...image, image_url: "data:image/png;base64,AAAA" }) },
    "input.0.content.0.image_url",
    "The bytes of the image are none of these: png, jpeg, gif, webp"
  ],
  [
    "an image from the assistant",
    { model: "model-v", input: [{ role: "assistant", content: [image] }] },
    "input.0.content.0.image_url",
    "Images may stand in messages of the user and in results of tools"
  ],
  [
    "a call without its arguments",
    { input: [{ ...call, arguments: undefined }] },
    "input.0.arguments",
    "This field is required"
  ],
  [
    "a call whose arguments are an object",
    { input: [{ ...call, arguments: {} }] },
    "input.0.arguments",
    "Must be a string"
  ],
  [
    "a call without a call_id",
    { input: [{ ...call, call_id: "" }] },
    "input.0.call_id",
    "Must have at least 1 character"
  ],
  [
    "a result of an unknown call",
    { input: [call, { type: "function_call_output", call_id: "call_2", output: "42" }] },
    "input.1.call_id",
    "No earlier function_call has this call_id"
  ],
  [
    "a result before its call",
    { input: [{ type: "function_call_output", call_id: "call_1", output: "42" }, call] },
    "input.0.call_id",
    "No earlier function_call has this call_id"
  ],
  [
    "a result of null",
    { input: [call, { type: "function_call_output", call_id: "call_1", output: null }] },
    "input.1.output",
    "Must be a string or a list"
  ],
  ["reasoning without a list", { input: [{ type: "reasoning" }] }, "input.0.summary", "This field is required"],
  ["stream as a text", { stream: "true" }, "stream", "Must be true or false or null"],
  ["a max_output_tokens of 0", { max_output_tokens: 0 }, "max_output_tokens", "Must be at least 1"],
  ["a fractional max_output_tokens", { max_output_tokens: 1.5 }, "max_output_tokens", "Must be a whole number"],
  ["a number as text", { max_output_tokens: "10" }, "max_output_tokens", "Must be a whole number or null"],
  [
    "a max_output_tokens of 2 ** 31",
    { max_output_tokens: 2 ** 31 },
    "max_output_tokens",
    "Must be at most 2147483647"
  ],
  ["a temperature below 0", { temperature: -0.1 }, "temperature", "Must be at least 0"],
  ["a temperature above 2", { temperature: 2.1 }, "temperature", "Must be at most 2"],
  ["a temperature as text", { temperature: "1" }, "temperature", "Must be a number or null"],
  ["a top_p of 0", { top_p: 0 }, "top_p", "Must be more than 0"],
  ["a top_p above 1", { top_p: 1.1 }, "top_p", "Must be at most 1"],
  ["a top_k of 0", { top_k: 0 }, "top_k", "Must be at least 1, or -1 for all tokens"],
  ["a top_k of -2", { top_k: -2 }, "top_k", "Must be at least 1, or -1 for all tokens"],
  ["a penalty below -2", { frequency_penalty: -2.1 }, "frequency_penalty", "Must be at least -2"],
  ["a penalty above 2", { presence_penalty: 2.1 }, "presence_penalty", "Must be at most 2"],
  ["store when it is true", { store: true }, "store", "Responses are not kept: leave store out or send false"],
  ["store as text", { store: "false" }, "store", "Responses are not kept: leave store out or send false"],
  [
    "background when it is true",
    { background: true },
    "background",
    "Responses are made while the client waits: leave background out or send false"
  ],
  ["previous_response_id", { previous_response_id: "resp_1" }, "previous_response_id", notStored],
  ["an empty previous_response_id", { previous_response_id: "" }, "previous_response_id", notStored],
  ["conversation", { conversation: { id: "conv_1" } }, "conversation", notStored],
  [
    "max_tool_calls",
    { max_tool_calls: 0 },
    "max_tool_calls",
    "Tools are carried out by the client, which knows how many it wants"
  ],
  ["prompt", { prompt: { id: "p" } }, "prompt", "No prompts are kept: send them in instructions or input"],
  ["tools that are not a list", { tools: {} }, "tools", "Must be a list or null"],
  [
    "a tool in the shape of chat completions",
    { tools: [{ type: "function", function: tool }] },
    "tools.0.function",
    nested
  ],
  [
    "a tool that is not a function",
    { tools: [{ type: "web_search" }] },
    "tools.0.type",
    "Only tools of the type function are served"
  ],
  ["a tool without a name", { tools: [{ type: "function" }] }, "tools.0.name", "This field is required"],
  ["a tool with spaces in its name", { tools: [{ ...tool, name: "look up" }] }, "tools.0.name", name64],
  ["a tool with a name too long", { tools: [{ ...tool, name: "a".repeat(65) }] }, "tools.0.name", name64],
  [
    "two tools with the same name",
    { tools: [tool, { ...tool, description: "another" }] },
    "tools.1.name",
    "Another tool has this name"
  ],
  [
    "parameters that are not an object",
    { tools: [{ ...tool, parameters: [] }] },
    "tools.0.parameters",
    "Must be an object"
  ],
  [
    "parameters that are not a schema",
    { tools: [{ ...tool, parameters: { type: 5 } }] },
    "tools.0.parameters",
    noSchema
  ],
  ["tool_choice required without tools", { tool_choice: "required" }, "tool_choice", "There are no tools to require"],
  [
    "tool_choice required with an empty list of tools",
    { tool_choice: "required", tools: [] },
    "tool_choice",
    "There are no tools to require"
  ],
  [
    "tool_choice of an unknown tool",
    { tools: [tool], tool_choice: { ...tool, name: "x" } },
    "tool_choice.name",
    "None of the tools has this name"
  ],
  [
    "tool_choice in the shape of chat completions",
    { tools: [tool], tool_choice: { type: "function", function: { name: "look_up" } } },
    "tool_choice.function",
    "Send name beside type; only chat completions nest them"
  ],
  [
    "an unknown tool_choice",
    { tool_choice: "any" },
    "tool_choice",
    "Must be \"none\", \"auto\", \"required\", an object or null"
  ],
  [
    "parallel_tool_calls as text",
    { parallel_tool_calls: "no" },
    "parallel_tool_calls",
    "Must be true or false or null"
  ],
  [
    "max effort on model-g",
    { model: "model-g", reasoning: { effort: "max" } },
    "reasoning.effort",
    "This model takes low, high, or no effort at all"
  ],
  [
    "an unknown effort",
    { model: "model-d", reasoning: { effort: "none" } },
    "reasoning.effort",
    "Must be \"low\", \"medium\", \"high\", \"max\" or null"
  ],
  [
    "an unknown summary",
    { model: "model-g", reasoning: { summary: "concise" } },
    "reasoning.summary",
    "Must be \"auto\", \"detailed\" or null"
  ],
  ["effort on core-105b", { reasoning: { effort: "low" } }, "reasoning", noReasoning],
  ["a summary on model-v", { model: "model-v", reasoning: { summary: "auto" } }, "reasoning", noReasoning],
  ["text without a format", { text: {} }, "text.format", "This field is required"],
  ["a format of null", { text: { format: null } }, "text.format", "Must be an object"],
  [
    "an unknown format",
    { text: { format: { type: "xml" } } },
    "text.format.type",
    "Must be \"text\", \"json_object\" or \"json_schema\""
  ],
  ["a schema without a name", format({ schema: {} }), "text.format.name", "This field is required"],
  ["a schema with spaces in its name", format({ ...schema, name: "a person" }), "text.format.name", name64],
  ["a format without its schema", format({ name: "person" }), "text.format.schema", "This field is required"],
  ["a format with an invalid schema", format({ ...schema, schema: { type: 5 } }), "text.format.schema", noSchema],
  [
    "a format in the shape of chat completions",
    format({ json_schema: schema }),
    "text.format.json_schema",
    "Send name, schema and strict beside type; only chat completions nest them"
  ],
  ["metadata that is not text", { metadata: { a: 1 } }, "metadata.a", "Must be a string"],
  ["top_logprobs above 20", { top_logprobs: 21 }, "top_logprobs", "Must be at most 20"],
  ["an unknown truncation", { truncation: "middle" }, "truncation", "Must be \"auto\", \"disabled\" or null"],
  ["n as text", { n: "1" }, "n", "Must be a whole number or null"],
  ["seed as text", { seed: "1" }, "seed", "Must be a whole number or null"],
  ["an extra_body that is not an object", { extra_body: [] }, "extra_body", "Must be an object"],
  ...Object.keys(ResponseBody.fields).map((name) =>
    [`${name} inside extra_body`, { extra_body: { [name]: null } }, `extra_body.${name}`, inside] as const
  ),
  ...Object.entries({
    messages: "input",
    max_tokens: "max_output_tokens",
    max_completion_tokens: "max_output_tokens",
    response_format: "text.format",
    reasoning_effort: "reasoning.effort",
    functions: "tools",
    function_call: "tool_choice"
  }).map(([name, place]) =>
    [
      `${name} inside extra_body, as chat completions have it`,
      { extra_body: { [name]: null } },
      `extra_body.${name}`,
      `On responses this is ${place}, in the body itself`
    ] as const
  ),
  ...["stop", "logprobs", "stream_options"].map((name) =>
    [
      `${name} inside extra_body, which only chat completions have`,
      { extra_body: { [name]: null } },
      `extra_body.${name}`,
      "Only chat completions have this field"
    ] as const
  )
]

describe("a body for a response", () => {
  for (const [about, more] of accepted) {
    it.effect(`accepts ${about}`, () => Effect.asVoid(Effect.provide(read(bodyWith(more)), scripted())))
  }

  for (const [about, more, param, sentence] of rejected) {
    it.effect(`rejects ${about}`, () =>
      Effect.gen(function*() {
        const failure = errorFor(yield* Effect.flip(read(bodyWith(more))))
        assert.deepStrictEqual([failure.status, failure.param], [400, param])
        assert.strictEqual(failure.message.split("; body.")[0], `body.${param}: ${sentence}`)
      }).pipe(Effect.provide(scripted())))
  }

  it.effect("lists all issues at once, without values of the body", () =>
    Effect.gen(function*() {
      const secret = "hunter2"
      const failure = yield* Effect.flip(
        read({ model: "core-105b", input: [{ role: secret, content: [secret] }], temperature: secret, store: secret })
      )
      assert.isTrue(failure._tag === "Invalid")
      assert.sameMembers(
        failure._tag === "Invalid" ? failure.issues.map(({ loc }) => loc.join(".")) : [],
        ["body.input.0.role", "body.input.0.content.0", "body.temperature", "body.store"]
      )
      assert.notInclude(failure.message, secret)
    }).pipe(Effect.provide(scripted())))

  it.effect("lists issues of all rules at once", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(
        read(bodyWith({ tool_choice: "required", reasoning: { effort: "low" }, extra_body: { n: 1 }, ...parts(image) }))
      )
      assert.sameMembers(
        failure._tag === "Invalid" ? failure.issues.map(({ loc }) => loc.join(".")) : [],
        ["body.tool_choice", "body.reasoning", "body.extra_body.n", "body.input.0.content.0.image_url"]
      )
    }).pipe(Effect.provide(scripted())))
})

describe("the model of a body", () => {
  const modelOf = (body: unknown) => Effect.flatMap(Responses, (responses) => responses.modelOf(body))

  for (const model of ["core-105b", "model-g", "model-v", "model-d"]) {
    it.effect(`may be ${model}, whatever else is invalid`, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* modelOf({ model, input: 5, store: true }), model)
      }).pipe(Effect.provide(scripted())))
  }

  for (const model of ["Core-105b", "core-105b ", "core-105b-conversations", "gpt-4", "", "__proto__", "toString"]) {
    it.effect(`is not found as ${JSON.stringify(model)}`, () =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(modelOf({ model }))
        assert.deepStrictEqual([failure._tag, errorFor(failure).status], ["NotFound", 404])
        assert.strictEqual((yield* Effect.flip(read({ model, store: true })))._tag, "NotFound")
      }).pipe(Effect.provide(scripted())))
  }

  const wrong: ReadonlyArray<readonly [body: unknown, param: string, sentence: string]> = [
    [{}, "model", "body.model: This field is required"],
    [{ model: 5 }, "model", "body.model: Must be a string"],
    [{ model: null }, "model", "body.model: Must be a string"],
    [null, "", "body: Must be an object"],
    ["core-105b", "", "body: Must be an object"],
    [undefined, "", "body: This field is required"]
  ]
  for (const [body, param, message] of wrong) {
    it.effect(`is required in ${JSON.stringify(body)}`, () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(errorFor(yield* Effect.flip(modelOf(body))), { status: 400, param, message })
      }).pipe(Effect.provide(scripted())))
  }
})
