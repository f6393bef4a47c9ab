import { issueType } from "@trunkline/errors"
import { efforts } from "@trunkline/models"
import { Schema } from "effect"
import { nullable, onlyFalse, refused } from "./Fields.js"
import { Input } from "./Input.js"
import { JsonObject } from "./JsonObject.js"
import { TextFormat, ToolChoice, Tools } from "./Tools.js"

const Penalty = Schema.Number.pipe(Schema.between(-2, 2))

/** More than any model writes, and few enough for sums to stay exact. */
const mostTokens = 2_147_483_647

const TopK = Schema.Int.pipe(
  Schema.filter((top) => top === -1 || top >= 1, {
    message: () => "Must be at least 1, or -1 for all tokens",
    jsonSchema: { type: "integer", anyOf: [{ const: -1 }, { minimum: 1 }] },
    ...issueType("value_error")
  })
)

const Reasoning = Schema.Struct({
  effort: nullable(Schema.Literal(...efforts), "low or high on model-g, low, high or max on model-d"),
  summary: nullable(Schema.Literal("auto", "detailed"), "Echoed; what is shown of the reasoning is the model's choice")
})

const stateless = "Responses are not kept: send the whole conversation in input"

/**
 * The body of a request for a response (specification, Responses). Null stands for a field that was left out wherever it
 * may be. Fields that are not named here are passed over. What depends on the model, or on several fields, is checked
 * by `Responses.read`.
 */
export const ResponseBody = Schema.Struct({
  model: Schema.String.annotations({ description: "A public model id, such as core-105b; case matters" }),
  input: Input.annotations({ description: "The whole conversation: a text of the user, one item, or a list of items" }),
  instructions: nullable(Schema.String, "What the model is told before the conversation; echoed"),
  stream: nullable(Schema.Boolean, "Answer with server-sent events; false unless told"),
  max_output_tokens: nullable(
    Schema.Int.pipe(Schema.between(1, mostTokens)),
    "Tokens of the answer, those of reasoning included; no limit but the model's context unless told"
  ),
  temperature: nullable(Schema.Number.pipe(Schema.between(0, 2)), "The model's own default unless told"),
  top_p: nullable(
    Schema.Number.pipe(Schema.greaterThan(0), Schema.lessThanOrEqualTo(1)),
    "The model's own default unless told"
  ),
  top_k: nullable(TopK, "From 1; -1 or nothing for all tokens"),
  frequency_penalty: nullable(Penalty, "0 unless told"),
  presence_penalty: nullable(Penalty, "0 unless told"),
  tools: nullable(Tools, "What the model may ask for; names are unique"),
  tool_choice: nullable(ToolChoice, "Whether it may, must or must not ask; auto unless told"),
  parallel_tool_calls: nullable(Schema.Boolean, "Echoed, not enforced; true unless told"),
  reasoning: nullable(Reasoning, "How hard to think; only for models that take it"),
  text: nullable(Schema.Struct({ format: TextFormat }), "The form of the text; plain unless told"),
  metadata: nullable(Schema.Record({ key: Schema.String, value: Schema.String }), "Echoed"),
  top_logprobs: nullable(Schema.Int.pipe(Schema.between(0, 20)), "Echoed; likelihoods are not shown"),
  truncation: nullable(Schema.Literal("auto", "disabled"), "Echoed; nothing is ever left out of the input"),
  prompt_cache_key: nullable(Schema.String, "Echoed"),
  prompt_cache_retention: nullable(Schema.String, "Echoed"),
  safety_identifier: nullable(Schema.String, "Echoed"),
  user: nullable(Schema.String, "Echoed"),
  n: nullable(Schema.Int, "Ignored: there is always one answer"),
  seed: nullable(Schema.Int, "Ignored"),
  extra_body: nullable(JsonObject, "Fields for the model's own provider; none that this body has"),
  store: onlyFalse("Responses are not kept: leave store out or send false"),
  background: onlyFalse("Responses are made while the client waits: leave background out or send false"),
  previous_response_id: refused(stateless),
  conversation: refused(stateless),
  max_tool_calls: refused("Tools are carried out by the client, which knows how many it wants"),
  prompt: refused("No prompts are kept: send them in instructions or input")
}).annotations({ identifier: "ResponseBody" })
export type ResponseBody = typeof ResponseBody.Type
