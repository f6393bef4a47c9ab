import type { ModelFacts } from "@trunkline/models"
import type { ResponseBody } from "../body/ResponseBody.js"
import type { TextFormat, Tool, ToolChoice } from "../body/Tools.js"
import type { Echo } from "../resource/ResponseResource.js"

const toolShown = ({ description, name, parameters, strict, type }: Tool): Echo["tools"][number] => ({
  type,
  name,
  description: description ?? null,
  parameters: parameters ?? null,
  strict: strict ?? null
})

const choiceShown = (choice: ToolChoice): Echo["tool_choice"] =>
  typeof choice === "string" ? choice : { type: choice.type, name: choice.name }

const formatShown = (format: TextFormat): Echo["text"]["format"] => {
  if (format.type !== "json_schema") return { type: format.type }
  const { description, name, schema, strict, type } = format
  return { type, name, ...(description != null && { description }), schema, strict: strict ?? false }
}

/** What a response repeats of its request, with what holds where the request said nothing (llm.md 5, trap 25). */
export const echoOf = (body: ResponseBody, { defaults }: Pick<ModelFacts, "defaults">): Echo => ({
  model: body.model,
  instructions: body.instructions ?? null,
  tools: (body.tools ?? []).map(toolShown),
  tool_choice: choiceShown(body.tool_choice ?? "auto"),
  parallel_tool_calls: body.parallel_tool_calls ?? true,
  text: { format: formatShown(body.text?.format ?? { type: "text" }) },
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
