import { BadRequest, ModelUnavailable } from "@trunkline/errors"
import { isJsonObject } from "@trunkline/kernel"
import {
  type AnswerFormat,
  type Content,
  type ContentPart,
  contentText,
  type Message,
  type ModelFailure,
  type ModelRequest,
  type ModelTool,
  type ToolChoice,
  type ToolRequest
} from "@trunkline/models"
import { Record, Struct } from "effect"
import { type Capabilities, capabilitiesBy, type NoThinking } from "./Capabilities.js"
import type { Options } from "./Options.js"

const partOf = (part: ContentPart) =>
  part.type === "text"
    ? part
    : {
      type: "image_url",
      image_url: {
        url: `data:${part.mediaType};base64,${part.base64}`,
        ...(part.detail !== undefined && { detail: part.detail })
      }
    }

/**
 * Content for a model without image support is a plain string: chat templates of such models often know nothing else.
 */
const contentOf = (content: Content, { images }: Capabilities) =>
  typeof content === "string" ? content : images ? content.map(partOf) : contentText(content)

const callOf = ({ arguments: text, id, name }: ToolRequest) => ({
  id,
  type: "function",
  function: { name, arguments: text }
})

const nameField = (name: string | undefined) => name === undefined ? {} : { name }

const assistantOf = (message: Message & { readonly role: "assistant" }, capabilities: Capabilities) => {
  const { content, name, reasoning = "", toolRequests } = message
  const { forwardReasoning, reasoningIn } = capabilities
  const isForwarded = forwardReasoning && reasoning !== ""
  const inField = reasoningIn === "reasoning" || reasoningIn === "reasoning_content"
  const thoughtText = isForwarded && !inField ? `<think>\n${reasoning}\n</think>\n\n` : ""
  const calls = toolRequests.length > 0
  return {
    role: "assistant",
    content: calls && content === null && thoughtText === "" ? null : thoughtText + (content ?? ""),
    ...nameField(name),
    ...(isForwarded && inField && { [reasoningIn]: reasoning }),
    ...(calls && { tool_calls: toolRequests.map(callOf) })
  }
}

/** Encodes a message. Tool messages have no tool name, which strict servers reject. */
const outboundMessage = (message: Message, capabilities: Capabilities) => {
  switch (message.role) {
    case "system":
      return { role: capabilities.systemRole, content: message.content }
    case "user":
      return { role: "user", content: contentOf(message.content, capabilities), ...nameField(message.name) }
    case "assistant":
      return assistantOf(message, capabilities)
    case "tool":
      return {
        role: "tool",
        tool_call_id: message.toolRequestId,
        content: contentOf(message.content, capabilities)
      }
    case "other":
      return { role: message.as, content: contentOf(message.content, capabilities), ...nameField(message.name) }
  }
}

/** Settings of the encoding of a request. */
export interface OutboundOptions {
  readonly capabilities: Capabilities
  /** Id of the model at the server. */
  readonly model: string
  readonly streamed: boolean
  /** Fields that disable thinking, used if the request asks for that. */
  readonly noThinking: NoThinking
}

/** Fields that `extra` must not set: they select the model, the conversation or the format of the response. */
const reservedNames: ReadonlySet<string> = new Set([
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
  // Not fields of the API, but a way to pollute prototypes of careless readers.
  "__proto__",
  "constructor",
  "prototype"
])

const extraOf = (extra: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(extra).filter(([name]) => !reservedNames.has(name)))

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

/** Replaces a `top_p` of 0, which some servers reject; both select the most likely token. */
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

/** Merges fields with the other members that `extra` has in the same objects. */
const besideExtra = (fields: NoThinking, { extra = {} }: ModelRequest): NoThinking =>
  Record.map(fields, (value, name) => {
    const others = extra[name]
    return isJsonObject(value) && isJsonObject(others) ? { ...others, ...value } : value
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

const badRequest = (message: string) => new BadRequest({ message, param: null })

/** Finds a capability that a request needs and its model lacks; null if there is none. */
export const missingCapability = (
  { logprobs, messages }: ModelRequest,
  capabilities: Capabilities
): BadRequest | null => {
  if (!capabilities.logprobs && logprobs !== undefined) return badRequest("This model does not tell logprobs")
  if (!capabilities.prefill && messages.at(-1)?.role === "assistant") {
    return badRequest("This model does not go on with an answer that was begun")
  }
  const hasImage = messages.some(({ content }) =>
    Array.isArray(content) && content.some((part) => part.type === "image")
  )
  return !capabilities.images && hasImage ? badRequest("This model does not take images") : null
}

/** Encodes a request as the body of a chat completion; undefined fields are not sent. */
export const outboundBody = (
  request: ModelRequest,
  options: OutboundOptions
): Readonly<Record<string, unknown>> => {
  const { capabilities, model, streamed } = options
  const { limits, logprobs } = request
  const ownFields = {
    model,
    messages: request.messages.map((message) => outboundMessage(message, capabilities)),
    ...samplingOf(request, capabilities),
    [capabilities.maxTokensField]: limits?.maxOutputTokens,
    stop: limits?.stop?.length === 0 ? undefined : limits?.stop,
    ...toolsOf(request, capabilities),
    response_format: formatOf(request.format),
    ...effortOf(request, options),
    prompt_cache_key: capabilities.promptCacheKey ? request.cacheKey : undefined,
    // Some servers read 0 as no logprobs at all, so it is left out.
    ...(logprobs !== undefined && { logprobs: true, top_logprobs: logprobs === 0 ? undefined : logprobs }),
    ...(streamed && { stream: true, stream_options: capabilities.streamUsage ? { include_usage: true } : undefined })
  }
  return request.extra === undefined
    ? ownFields
    : { ...extraOf(request.extra), ...Struct.pick(ownFields, ...definedIn(ownFields)) }
}

/** Makes a check for requests that an upstream badRequest serve; null for those that it can. */
export const rejectionBy = (
  { capabilities = {}, models = {}, strictModels = false }: Options
): (request: ModelRequest) => ModelFailure | null => {
  const capabilitiesOf = capabilitiesBy(capabilities)
  return (request) =>
    strictModels && !Object.hasOwn(models, request.model)
      ? new ModelUnavailable({ message: "This model is not available here", lasting: true })
      : missingCapability(request, capabilitiesOf(request.model))
}
