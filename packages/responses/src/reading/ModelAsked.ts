import type { AnswerFormat, Message, ModelFacts, ModelRequest, ModelTool } from "@trunkline/models"
import type { ResponseBody } from "../body/ResponseBody.js"
import type { TextFormat, Tool } from "../body/Tools.js"
import type { ReasoningShown } from "../output/Output.js"
import type { Echo } from "../resource/ResponseResource.js"

const toolAsked = ({ description, name, parameters, strict }: Tool): ModelTool => ({
  name,
  ...(description != null && { description }),
  ...(parameters != null && { parameters }),
  ...(strict != null && { strict })
})

const formatAsked = (format: TextFormat | undefined): AnswerFormat => {
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

/** Fields for the model's own provider. A key that would change what an object is made of is left out. */
const extraAsked = (extra: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(extra).filter(([key]) => key !== "__proto__"))

/** What a model is asked for a body. How it chooses its words is what the response says of it. */
export const modelRequest = (
  body: ResponseBody,
  { echo, messages }: { readonly echo: Echo; readonly messages: ReadonlyArray<Message> }
): ModelRequest => {
  const { extra_body, max_output_tokens, parallel_tool_calls, reasoning, text, tool_choice, top_k } = body
  const tools = body.tools ?? []
  return {
    model: body.model,
    messages,
    ...(tools.length > 0 && { tools: tools.map(toolAsked) }),
    ...(tool_choice != null && {
      toolChoice: typeof tool_choice === "string" ? tool_choice : { name: tool_choice.name }
    }),
    ...(parallel_tool_calls != null && { parallelTools: parallel_tool_calls }),
    format: formatAsked(text?.format),
    sampling: {
      temperature: echo.temperature,
      topP: echo.top_p,
      presencePenalty: echo.presence_penalty,
      frequencyPenalty: echo.frequency_penalty,
      ...(top_k != null && top_k > 0 && { topK: top_k })
    },
    ...(max_output_tokens != null && { limits: { maxOutputTokens: max_output_tokens } }),
    ...(reasoning?.effort != null && { effort: reasoning.effort }),
    ...(extra_body != null && { extra: extraAsked(extra_body) })
  }
}

/**
 * Which thoughts are put out: of a model that always thinks at least one, but none beside JSON that was promised
 * (specification, Responses: reasoning rules).
 */
export const reasoningShown = ({ text }: ResponseBody, { thinking }: ModelFacts): ReasoningShown => {
  if (thinking.when !== "always") return "given"
  const format = text?.format
  return format?.type === "json_object" || (format?.type === "json_schema" && format.strict === true)
    ? "never"
    : "always"
}
