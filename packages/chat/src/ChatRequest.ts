import type {
  AnswerFormat,
  AnswerRequest,
  Message,
  ModelFacts,
  ModelRequest,
  ModelTool,
  ToolChoice
} from "@trunkline/models"
import { Predicate } from "effect"
import { type ChatBody, defaultMaxTokens } from "./body/ChatBody.js"
import type { ChatFormat, ChatTool, ChatToolChoice } from "./body/ChatTools.js"

/** A validated request for a chat completion, ready for the model. */
export interface ChatRequest {
  /** The request to the model, except for its meter. */
  readonly asking: Omit<AnswerRequest, "meter">
  /** True when the client requested a stream. */
  readonly stream: boolean
  /** True when the stream reports its token usage in a last event. */
  readonly includeUsage: boolean
}

const toModelTool = ({ function: { description, name, parameters, strict } }: ChatTool): ModelTool => ({
  name,
  strict,
  ...(description !== undefined && { description }),
  ...(parameters !== undefined && { parameters })
})

const toToolChoice = (choice: ChatToolChoice): ToolChoice =>
  typeof choice === "string" ? choice : { name: choice.function.name }

const toAnswerFormat = (format: ChatFormat): AnswerFormat => {
  switch (format.type) {
    case "text":
      return { type: "text" }
    case "json_object":
      return { type: "json" }
    case "json_schema": {
      const { description, name, schema, strict } = format.json_schema
      return { type: "schema", name, schema, strict, ...(description !== undefined && { description }) }
    }
  }
}

/** Null (no reasoning) is only sent to models whose reasoning can be turned off. */
const effortOf = (
  { reasoning_effort: effort }: ChatBody,
  { thinking }: ModelFacts
): Pick<ModelRequest, "effort"> =>
  effort === undefined || (effort === null && thinking.when !== "usually") ? {} : { effort }

const limitsOf = ({ max_completion_tokens, max_tokens, stop }: ChatBody): Pick<ModelRequest, "limits"> => {
  const maxima = [max_tokens, max_completion_tokens].filter(Predicate.isNotUndefined)
  const limits = {
    ...(maxima.length > 0 && { maxOutputTokens: Math.min(...maxima) }),
    ...(stop !== undefined && { stop: typeof stop === "string" ? [stop] : stop })
  }
  return Object.keys(limits).length === 0 ? {} : { limits }
}

/** Drops `__proto__`: merging it into another object could set the prototype of that object. */
const withoutProto = (
  { __proto__: _, ...fields }: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> => fields

const extraOf = (body: ChatBody): Pick<ModelRequest, "extra"> => {
  const extra = "extra_body" in body ? body.extra_body : undefined
  if (extra === undefined) return {}
  return { extra: Object.hasOwn(extra, "__proto__") ? withoutProto(extra) : extra }
}

const toolsOf = ({ parallel_tool_calls, tool_choice, tools = [] }: ChatBody): Partial<ModelRequest> =>
  tools.length === 0 ? {} : {
    tools: tools.map(toModelTool),
    ...(tool_choice !== undefined && { toolChoice: toToolChoice(tool_choice) }),
    ...(parallel_tool_calls !== undefined && { parallelTools: parallel_tool_calls })
  }

/** Adds the function's name to each tool result, found by the id of the call. */
const withToolNames = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const names = new Map<string, string>()
  return messages.map((message) => {
    if (message.role === "assistant") message.toolRequests.forEach(({ id, name }) => names.set(id, name))
    return message.role === "tool" ? { ...message, name: names.get(message.toolRequestId) ?? "" } : message
  })
}

/** Converts a valid body to a request, with the defaults of chat completions filled in. */
export const toChatRequest = (body: ChatBody, facts: ModelFacts): ChatRequest => ({
  asking: {
    request: {
      model: body.model,
      messages: withToolNames(body.messages),
      ...toolsOf(body),
      ...(body.response_format !== undefined && { format: toAnswerFormat(body.response_format) }),
      sampling: {
        temperature: body.temperature ?? facts.defaults.temperature,
        topP: body.top_p ?? facts.defaults.topP,
        presencePenalty: body.presence_penalty ?? 0,
        frequencyPenalty: body.frequency_penalty ?? 0,
        ...(body.seed !== undefined && { seed: body.seed })
      },
      ...limitsOf(body),
      ...effortOf(body, facts),
      ...(body.logprobs && { logprobs: body.top_logprobs ?? 0 }),
      ...extraOf(body)
    },
    choices: body.n ?? 1,
    usualOutputTokens: defaultMaxTokens
  },
  stream: body.stream,
  includeUsage: body.stream_options?.include_usage ?? false
})
