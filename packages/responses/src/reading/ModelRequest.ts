import type { AnswerFormat, Message, ModelFacts, ModelRequest, ModelTool } from "@trunkline/models"
import type { ResponseBody } from "../body/ResponseBody.js"
import type { TextFormat, Tool, ToolChoice } from "../body/Tools.js"
import type { ReasoningVisibility } from "../output/Output.js"
import type { Echo } from "../resource/ResponseResource.js"

const echoTool = ({ description, name, parameters, strict, type }: Tool): Echo["tools"][number] => ({
  type,
  name,
  description: description ?? null,
  parameters: parameters ?? null,
  strict: strict ?? null
})

const echoToolChoice = (choice: ToolChoice): Echo["tool_choice"] =>
  typeof choice === "string" ? choice : { type: choice.type, name: choice.name }

const echoFormat = (format: TextFormat): Echo["text"]["format"] => {
  if (format.type !== "json_schema") return { type: format.type }
  const { description, name, schema, strict, type } = format
  return { type, name, ...(description != null && { description }), schema, strict: strict ?? false }
}

/** The fields of the request that its response repeats, with defaults filled in. */
export const toEcho = (body: ResponseBody, { defaults }: Pick<ModelFacts, "defaults">): Echo => ({
  model: body.model,
  instructions: body.instructions ?? null,
  tools: (body.tools ?? []).map(echoTool),
  tool_choice: echoToolChoice(body.tool_choice ?? "auto"),
  parallel_tool_calls: body.parallel_tool_calls ?? true,
  text: { format: echoFormat(body.text?.format ?? { type: "text" }) },
  reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
  temperature: body.temperature ?? defaults.temperature,
  top_p: body.top_p ?? defaults.topP,
  presence_penalty: body.presence_penalty ?? 0,
  frequency_penalty: body.frequency_penalty ?? 0,
  top_logprobs: body.top_logprobs ?? 0,
  max_output_tokens: body.max_output_tokens ?? null,
  truncation: body.truncation ?? "disabled",
  metadata: body.metadata ?? {},
  prompt_cache_key: body.prompt_cache_key ?? null,
  prompt_cache_retention: body.prompt_cache_retention ?? null,
  safety_identifier: body.safety_identifier ?? null,
  user: body.user ?? null,
  store: false,
  background: false,
  previous_response_id: null,
  conversation: null,
  prompt: null,
  max_tool_calls: null,
  service_tier: "auto",
  billing: null
})

const toModelTool = ({ description, name, parameters, strict }: Tool): ModelTool => ({
  name,
  ...(description != null && { description }),
  ...(parameters != null && { parameters }),
  ...(strict != null && { strict })
})

const toAnswerFormat = (format: TextFormat | undefined): AnswerFormat => {
  switch (format?.type) {
    case "json_object":
      return { type: "json" }
    case "json_schema": {
      const { description, name, schema, strict } = format
      return { type: "schema", name, ...(description != null && { description }), schema, strict: strict ?? false }
    }
    default:
      return { type: "text" }
  }
}

/** Drops `__proto__`: merging it into another object could set the prototype of that object. */
const withoutProto = (extra: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(extra).filter(([key]) => key !== "__proto__"))

/** Converts a body to a request to the model. The sampling parameters are those that the response echoes. */
export const toModelRequest = (
  body: ResponseBody,
  { echo, messages }: { readonly echo: Echo; readonly messages: ReadonlyArray<Message> }
): ModelRequest => {
  const { extra_body, max_output_tokens, parallel_tool_calls, reasoning, text, tool_choice, top_k } = body
  const tools = body.tools ?? []
  return {
    model: body.model,
    messages,
    ...(tools.length > 0 && { tools: tools.map(toModelTool) }),
    ...(tool_choice != null && {
      toolChoice: typeof tool_choice === "string" ? tool_choice : { name: tool_choice.name }
    }),
    ...(parallel_tool_calls != null && { parallelTools: parallel_tool_calls }),
    format: toAnswerFormat(text?.format),
    sampling: {
      temperature: echo.temperature,
      topP: echo.top_p,
      presencePenalty: echo.presence_penalty,
      frequencyPenalty: echo.frequency_penalty,
      ...(top_k != null && top_k > 0 && { topK: top_k })
    },
    ...(max_output_tokens != null && { limits: { maxOutputTokens: max_output_tokens } }),
    ...(reasoning?.effort != null && { effort: reasoning.effort }),
    ...(extra_body != null && { extra: withoutProto(extra_body) })
  }
}

/**
 * The visibility of reasoning: a model that always reasons has at least one reasoning item, but none when the format
 * guarantees JSON (`json_object`, or a strict `json_schema`).
 */
export const reasoningVisibility = ({ text }: ResponseBody, { thinking }: ModelFacts): ReasoningVisibility => {
  if (thinking.when !== "always") return "given"
  const format = text?.format
  return format?.type === "json_object" || (format?.type === "json_schema" && format.strict === true)
    ? "never"
    : "always"
}
