import { BadRequest } from "@trunkline/errors"
import type { AnswerFormat, ModelRequest, ModelTool, ToolChoice } from "@trunkline/models"
import { Record, Struct } from "effect"
import type { Capabilities, NoThinking } from "../Capabilities.js"
import { isObject } from "../Json.js"
import { outboundMessage } from "./Messages.js"

/** How a request is said to a server. */
export interface OutboundOptions {
  readonly capabilities: Capabilities
  /** The server's own id of the model. */
  readonly model: string
  readonly streamed: boolean
  /** What keeps the model from thinking, where the request wants that. */
  readonly noThinking: NoThinking
}

/** What would change who is asked, what, or how the answer has to be read. */
const reserved: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "stream",
  "stream_options",
  "n",
  "max_tokens",
  "max_completion_tokens",
  "tools",
  "tool_choice",
  "functions",
  "function_call",
  "logprobs",
  "top_logprobs",
  // No field at all, and a way into the objects of whoever reads it carelessly.
  "__proto__",
  "constructor",
  "prototype"
])

const extraOf = (extra: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(extra).filter(([name]) => !reserved.has(name)))

const definedIn = <A extends object>(fields: A) => Struct.keys(fields).filter((name) => fields[name] !== undefined)

const toolOf = ({ description, name, parameters, strict }: ModelTool, { strictTools }: Capabilities) => ({
  type: "function",
  function: {
    name,
    description,
    parameters: parameters ?? { type: "object", properties: {} },
    strict: strictTools ? strict : undefined
  }
})

const choiceOf = (choice: ToolChoice | undefined) =>
  typeof choice === "object" ? { type: "function", function: { name: choice.name } } : choice

const formatOf = (format: AnswerFormat | undefined) => {
  switch (format?.type) {
    case "json":
      return { type: "json_object" }
    case "schema": {
      const { description, name, schema, strict } = format
      return { type: "json_schema", json_schema: { name, description, schema, strict } }
    }
    default:
      return undefined
  }
}

const toolsOf = ({ parallelTools, toolChoice, tools = [] }: ModelRequest, capabilities: Capabilities) =>
  tools.length === 0 ? {} : {
    tools: tools.map((tool) => toolOf(tool, capabilities)),
    tool_choice: choiceOf(toolChoice),
    parallel_tool_calls: capabilities.parallelTools ? parallelTools : undefined
  }

/** In the place of a `top_p` of 0, which means the same: the likeliest token. Some servers refuse 0. */
const leastTopP = 1e-6

const topPOf = (topP: number | undefined) => topP === 0 ? leastTopP : topP

const samplingOf = ({ sampling = {} }: ModelRequest, { penalties, seed, temperature, topK }: Capabilities) => ({
  ...(temperature && { temperature: sampling.temperature, top_p: topPOf(sampling.topP) }),
  ...(topK && sampling.topK !== undefined && { top_k: sampling.topK }),
  ...(penalties && {
    presence_penalty: sampling.presencePenalty || undefined,
    frequency_penalty: sampling.frequencyPenalty || undefined
  }),
  ...(seed && { seed: sampling.seed })
})

/** Fields, with what `extra` has beside them in the same objects. */
const besideExtra = (fields: NoThinking, { extra = {} }: ModelRequest): NoThinking =>
  Record.map(fields, (value, name) => {
    const others = extra[name]
    return isObject(value) && isObject(others) ? { ...others, ...value } : value
  })

const effortOf = (request: ModelRequest, { capabilities, noThinking }: OutboundOptions) => {
  const { effort } = request
  if (effort === undefined) return {}
  if (effort === null) return besideExtra(noThinking, request)
  switch (capabilities.effort) {
    case "reasoning_effort":
      return { reasoning_effort: capabilities.effortWords[effort] ?? effort }
    case "thinking_switch":
      return besideExtra({ chat_template_kwargs: { enable_thinking: true } }, request)
    case "unsaid":
      return {}
  }
}

const cannot = (message: string) => new BadRequest({ message, param: null })

/** What is asked of a model that cannot do it; null when there is nothing. */
export const lacking = ({ logprobs, messages }: ModelRequest, capabilities: Capabilities): BadRequest | null => {
  if (!capabilities.logprobs && logprobs !== undefined) return cannot("This model does not tell logprobs")
  if (!capabilities.prefill && messages.at(-1)?.role === "assistant") {
    return cannot("This model does not go on with an answer that was begun")
  }
  const hasImage = messages.some(({ content }) =>
    Array.isArray(content) && content.some((part) => part.type === "image")
  )
  return !capabilities.images && hasImage ? cannot("This model does not take images") : null
}

/** The body of a request, in the words of this API; what is undefined in it is not sent. */
export const outboundBody = (
  request: ModelRequest,
  options: OutboundOptions
): Readonly<Record<string, unknown>> => {
  const { capabilities, model, streamed } = options
  const { limits, logprobs } = request
  const own = {
    model,
    messages: request.messages.map((message) => outboundMessage(message, capabilities)),
    ...samplingOf(request, capabilities),
    [capabilities.maxTokensField]: limits?.maxOutputTokens,
    stop: limits?.stop?.length === 0 ? undefined : limits?.stop,
    ...toolsOf(request, capabilities),
    response_format: formatOf(request.format),
    ...effortOf(request, options),
    // Some servers take 0 for no logprobs at all, so none beside the token itself is not said.
    ...(logprobs !== undefined && { logprobs: true, top_logprobs: logprobs === 0 ? undefined : logprobs }),
    ...(streamed && { stream: true, stream_options: capabilities.streamUsage ? { include_usage: true } : undefined })
  }
  return request.extra === undefined ? own : { ...extraOf(request.extra), ...Struct.pick(own, ...definedIn(own)) }
}
