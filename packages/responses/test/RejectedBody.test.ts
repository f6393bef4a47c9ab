import { assert, describe, it } from "@effect/vitest"
import { ResponseBody } from "@trunkline/responses"
import { Effect } from "effect"
import { call, errorFor, format, image, parts, read, schema, tool } from "./BodyFixtures.js"
import { bodyWith, scripted } from "./Fixtures.js"

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

describe("an invalid body for a response", () => {
  for (const [about, more, param, sentence] of rejected) {
    it.effect(`rejects ${about}`, () =>
      Effect.gen(function*() {
        const failure = errorFor(yield* Effect.flip(read(bodyWith(more))))
        assert.deepStrictEqual([failure.status, failure.param], [400, param])
        assert.strictEqual(failure.message.split("; body.")[0], `body.${param}: ${sentence}`)
      }).pipe(Effect.provide(scripted())))
  }
})
