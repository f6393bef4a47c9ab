import type { AnswerFormat, Asking, Message, ModelFacts, ModelRequest, ModelTool, ToolChoice } from "@trunkline/models"
import { Predicate } from "effect"
import { type ChatBody, defaultMaxTokens } from "./body/ChatBody.js"
import type { ChatFormat } from "./body/ChatFormat.js"
import type { ChatTool, ChatToolChoice } from "./body/ChatTools.js"

/** What a body asks for. */
export interface ChatAsked {
  /** What is asked of the model. */
  readonly asking: Omit<Asking, "meter">
  /** Whether the answer comes piece by piece. */
  readonly stream: boolean
  /** Whether a last piece tells the usage. */
  readonly includeUsage: boolean
}

const toolOf = ({ function: { description, name, parameters, strict } }: ChatTool): ModelTool => ({
  name,
  strict,
  ...(description !== undefined && { description }),
  ...(parameters !== undefined && { parameters })
})

const choiceOf = (choice: ChatToolChoice): ToolChoice =>
  typeof choice === "string" ? choice : { name: choice.function.name }

const formatOf = (format: ChatFormat): AnswerFormat => {
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

/** Only a model that may think or not is told not to. */
const effortOf = (
  { reasoning_effort: effort }: ChatBody,
  { thinking }: ModelFacts
): Pick<ModelRequest, "effort"> =>
  effort === undefined || (effort === null && thinking.when !== "usually") ? {} : { effort }

const limitsOf = ({ max_completion_tokens, max_tokens, stop }: ChatBody): Pick<ModelRequest, "limits"> => {
  const most = [max_tokens, max_completion_tokens].filter(Predicate.isNotUndefined)
  const limits = {
    ...(most.length > 0 && { maxOutputTokens: Math.min(...most) }),
    ...(stop !== undefined && { stop: typeof stop === "string" ? [stop] : stop })
  }
  return Object.keys(limits).length === 0 ? {} : { limits }
}

/** Whoever merges fields with others may set a `__proto__` instead of copying it. */
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
    tools: tools.map(toolOf),
    ...(tool_choice !== undefined && { toolChoice: choiceOf(tool_choice) }),
    ...(parallel_tool_calls !== undefined && { parallelTools: parallel_tool_calls })
  }

/** The result of a tool is given the name that the tool was asked for by. */
const withToolNames = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const names = new Map<string, string>()
  return messages.map((message) => {
    if (message.role === "assistant") message.toolRequests.forEach(({ id, name }) => names.set(id, name))
    return message.role === "tool" ? { ...message, name: names.get(message.toolRequestId) ?? "" } : message
  })
}

/** What a body without faults asks for, with the defaults of chat. */
export const chatAsked = (body: ChatBody, facts: ModelFacts): ChatAsked => ({
  asking: {
    request: {
      model: body.model,
      messages: withToolNames(body.messages),
      ...toolsOf(body),
      ...(body.response_format !== undefined && { format: formatOf(body.response_format) }),
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
