import { issueType } from "@trunkline/errors"
import { efforts } from "@trunkline/models"
import { Schema } from "effect"
import { JsonObject, nullable, onlyFalse, unsupported } from "../resource/Fields.js"
import { Input } from "./Input.js"
import { TextFormat, ToolChoice, Tools } from "./Tools.js"

const Penalty = Schema.Number.pipe(Schema.between(-2, 2))

/** More tokens than any model generates, and few enough for sums to stay exact. */
const maxTokens = 2_147_483_647

const TopK = Schema.Int.pipe(
  Schema.filter((top) => top === -1 || top >= 1, {
    message: () => "Must be at least 1, or -1 for all tokens",
    jsonSchema: { type: "integer", anyOf: [{ const: -1 }, { minimum: 1 }] },
    ...issueType("value_error")
  })
)

const Reasoning = Schema.Struct({
  effort: nullable(Schema.Literal(...efforts), "low or high on model-g; low, high or max on model-d"),
  summary: nullable(Schema.Literal("auto", "detailed"), "Echoed; the model decides which reasoning it shows")
})

const stateless = "Responses are not kept: send the whole conversation in input"

/**
 * The body of a request for a response. Null means the same as leaving an optional field out, and unknown fields are
 * ignored. Rules that depend on the model or on several fields are checked by `Responses.read`.
 */
export const ResponseBody = Schema.Struct({
  model: Schema.String.annotations({ description: "A public model id, such as core-105b; case matters" }),
  input: Input.annotations({
    description: "The whole conversation: a user message as text, one item, or a list of items"
  }),
  instructions: nullable(Schema.String, "Instructions for the model, placed before the conversation; echoed"),
  stream: nullable(Schema.Boolean, "Streams the response as server-sent events; defaults to false"),
  max_output_tokens: nullable(
    Schema.Int.pipe(Schema.between(1, maxTokens)),
    "Maximum tokens of the response, reasoning included; defaults to the rest of the model's context"
  ),
  temperature: nullable(Schema.Number.pipe(Schema.between(0, 2)), "Defaults to the model's own"),
  top_p: nullable(
    Schema.Number.pipe(Schema.greaterThan(0), Schema.lessThanOrEqualTo(1)),
    "Defaults to the model's own"
  ),
  top_k: nullable(TopK, "From 1; -1, the default, means all tokens"),
  frequency_penalty: nullable(Penalty, "Defaults to 0"),
  presence_penalty: nullable(Penalty, "Defaults to 0"),
  tools: nullable(Tools, "Functions that the model may call; names are unique"),
  tool_choice: nullable(ToolChoice, "Allows, requires or forbids calls; defaults to auto"),
  parallel_tool_calls: nullable(Schema.Boolean, "Echoed, not enforced; defaults to true"),
  reasoning: nullable(Reasoning, "Reasoning effort; only for models that support it"),
  text: nullable(Schema.Struct({ format: TextFormat }), "Format of the text; defaults to plain text"),
  metadata: nullable(Schema.Record({ key: Schema.String, value: Schema.String }), "Echoed"),
  top_logprobs: nullable(Schema.Int.pipe(Schema.between(0, 20)), "Echoed; log probabilities are not returned"),
  truncation: nullable(Schema.Literal("auto", "disabled"), "Echoed; the input is never truncated"),
  prompt_cache_key: nullable(Schema.String, "Echoed"),
  prompt_cache_retention: nullable(Schema.String, "Echoed"),
  safety_identifier: nullable(Schema.String, "Echoed"),
  user: nullable(Schema.String, "Echoed"),
  n: nullable(Schema.Int, "Ignored: there is always one response"),
  seed: nullable(Schema.Int, "Ignored"),
  extra_body: nullable(JsonObject, "Additional fields for the model's provider; none that this body has"),
  store: onlyFalse("Responses are not kept: leave store out or send false"),
  background: onlyFalse("Responses are made while the client waits: leave background out or send false"),
  previous_response_id: unsupported(stateless),
  conversation: unsupported(stateless),
  max_tool_calls: unsupported("Tools are carried out by the client, which knows how many it wants"),
  prompt: unsupported("No prompts are kept: send them in instructions or input")
}).annotations({ identifier: "ResponseBody" })
export type ResponseBody = typeof ResponseBody.Type
