import { BadRequest } from "@trunkline/errors"
import {
  type AnswerFormat,
  contentText,
  type JsonSchema,
  type Message,
  type ModelRequest,
  type ModelTool
} from "@trunkline/models"
import { Either } from "effect"
import { type JsonGrammar, jsonGrammar } from "./grammar/JsonGrammar.js"
import { historyOf } from "./History.js"
import type { Functions, GenerationOptions, HistoryItem } from "./LlamaModule.js"

const rejectionOf = (message: string) => Either.left(new BadRequest({ message, param: null }))

/** Builds the grammar for a schema; fails if a strict schema has keywords that a grammar cannot enforce. */
const grammarFor = (
  schema: unknown,
  { name, strict }: { readonly name: string; readonly strict: boolean }
): Either.Either<string, BadRequest> => {
  const { text, tooLarge, unenforced }: JsonGrammar = jsonGrammar(schema)
  if (tooLarge) return rejectionOf(`The schema of ${name} is too large or too deep for this model`)
  if (strict && unenforced.length > 0) {
    return rejectionOf(`This model cannot keep strictly what the schema of ${name} says with: ${unenforced.join(", ")}`)
  }
  return Either.right(text)
}

/** Checks that a tool name is a single word, as chat templates require. */
const isWord = (name: string) => /^[^\s"\\]+$/.test(name)

/** Builds the grammar of a tool's arguments; null if it takes none. */
const argumentsFor = ({ name, parameters, strict = false }: ModelTool) => {
  if (!isWord(name)) return rejectionOf(`A tool of this model needs a name without blanks, quotes and backslashes`)
  return parameters === undefined
    ? Either.right(null)
    : grammarFor({ ...parameters, type: "object" }, { name, strict })
}

/** Replaces `anyOf` by `oneOf`, which is the only one that chat templates know. */
const withOneOf = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withOneOf)
  if (typeof schema !== "object" || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key === "anyOf" ? "oneOf" : key, withOneOf(value)])
  )
}

const readableSchema = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withOneOf(value)]))

/** Describes tools the way chat templates expect them. */
const describeTools = (tools: ReadonlyArray<ModelTool>): Functions =>
  Object.fromEntries(tools.map(({ description, name, parameters }) => [name, {
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { params: readableSchema(parameters) })
  }]))

/** Returns the tools that the model may call. */
const callableTools = ({ toolChoice = "auto", tools = [] }: ModelRequest): ReadonlyArray<ModelTool> => {
  if (toolChoice === "none") return []
  return typeof toolChoice === "string" ? tools : tools.filter(({ name }) => name === toolChoice.name)
}

/** A request translated for llama.cpp. */
export interface LlamaPlan {
  readonly history: ReadonlyArray<HistoryItem>
  /** Descriptions of the tools for the prompt. */
  readonly tools: Functions
  /** Argument grammars of the tools that may be called, by name; null for a tool without arguments. */
  readonly callable: ReadonlyMap<string, string | null>
  readonly mustCall: boolean
  readonly allowsParallelCalls: boolean
  /** The tool among `callable` whose arguments are the text of the answer. */
  readonly answerTool: string | null
  /** Grammar of the text of the answer; null if it is unconstrained. */
  readonly grammar: string | null
  /** Upper bound of thinking, in tokens. */
  readonly thoughtTokens: number
  readonly maxOutputTokens: number
  readonly stop: ReadonlyArray<string>
  readonly sampling: Pick<GenerationOptions, "temperature" | "topP" | "topK" | "repeatPenalty">
  /** First free number for the ids of tool requests. */
  readonly firstCall: number
  /** Every text of the prompt, for counting. */
  readonly texts: ReadonlyArray<string>
}

/** Defaults of llama.cpp. */
const defaultTemperature = 0.8
const defaultTopP = 0.95

/** Tokens that penalties look back over; each one costs time. */
const penalizedTokens = 4_096

const samplingOf = ({ sampling = {} }: ModelRequest): LlamaPlan["sampling"] => {
  const { frequencyPenalty = 0, presencePenalty = 0, temperature = defaultTemperature, topK = 0, topP = defaultTopP } =
    sampling
  const isPlain = frequencyPenalty === 0 && presencePenalty === 0
  return {
    temperature,
    topP,
    topK,
    repeatPenalty: isPlain
      ? false
      : { lastTokens: penalizedTokens, penalty: 1, penalizeNewLine: true, frequencyPenalty, presencePenalty }
  }
}

/** Thinking tokens by effort, chosen by us. Higher efforts and requests without one are limited by the output only. */
const thoughtTokens = { low: 1_024, medium: 4_096, high: Infinity, max: Infinity } as const

const thoughtTokensOf = ({ effort }: ModelRequest): number =>
  effort === null ? 0 : effort === undefined ? Infinity : thoughtTokens[effort]

const formatGrammarOf = (format: AnswerFormat): Either.Either<string | null, BadRequest> => {
  switch (format.type) {
    case "text":
      return Either.right(null)
    case "json":
      return grammarFor({ type: "object" }, { name: "the answer", strict: false })
    case "schema":
      return grammarFor(format.schema, format)
  }
}

/** Builds the instruction that tells the model the format of its answer. */
const instructionOf = (format: AnswerFormat): string | null => {
  switch (format.type) {
    case "text":
      return null
    case "json":
      return "Answer with a JSON object and nothing else."
    case "schema": {
      const { description = "", name, schema } = format
      const form = `Answer with JSON and nothing else. It is called ${name} and has this schema: ${
        JSON.stringify(schema)
      }`
      return description === "" ? form : `${form}\n${description}`
    }
  }
}

const withInstruction = (history: ReadonlyArray<HistoryItem>, text: string | null): ReadonlyArray<HistoryItem> => {
  if (text === null) return history
  const place = history.findIndex(({ type }) => type !== "system")
  return history.toSpliced(place < 0 ? history.length : place, 0, { type: "system", text })
}

/**
 * Builds a tool that stands for a formatted answer beside other tools: a grammar cannot apply to a part of an answer
 * only.
 */
const answerToolOf = (format: AnswerFormat, tools: ReadonlyArray<ModelTool>): ModelTool => {
  const names = new Set(tools.map(({ name }) => name))
  const free = (name: string): string => names.has(name) ? free(`${name}_`) : name
  const about = format.type === "schema" ? format.description ?? "" : ""
  return {
    name: free("answer"),
    description: `Gives the user the answer, once no other function is needed. ${about}`.trim(),
    parameters: format.type === "schema" ? format.schema : { type: "object" }
  }
}

const missingCapability = ({ logprobs, messages }: ModelRequest): string | null => {
  const hasImages = messages.some(({ content }) =>
    typeof content === "object" && (content ?? []).some(({ type }) => type === "image")
  )
  if (hasImages) return "This model does not take images"
  return logprobs === undefined ? null : "This model does not tell logprobs"
}

const textsOf = (message: Message): ReadonlyArray<string> =>
  message.role === "assistant"
    ? [
      contentText(message.content),
      message.reasoning ?? "",
      ...message.toolRequests.flatMap(({ arguments: text, name }) => [name, text])
    ]
    : [contentText(message.content)]

const requestsIn = (messages: ReadonlyArray<Message>): number =>
  messages.reduce((sum, message) => sum + (message.role === "assistant" ? message.toolRequests.length : 0), 0)

/** Translates a request for llama.cpp; fails if the model cannot serve it. */
export const planOf = (request: ModelRequest): Either.Either<LlamaPlan, BadRequest> =>
  Either.gen(function*() {
    const { format = { type: "text" }, limits = {}, messages, parallelTools = true, toolChoice, tools = [] } = request
    const lack = missingCapability(request)
    if (lack !== null) return yield* rejectionOf(lack)
    const chosenTools = callableTools(request)
    const isForced = typeof toolChoice === "object" || toolChoice === "required"
    if (isForced && chosenTools.length === 0) return yield* rejectionOf("The required tool is not among the tools")
    const grammar = yield* formatGrammarOf(format)
    const answerTool = grammar !== null && chosenTools.length > 0 && !isForced ? answerToolOf(format, tools) : null
    const callable = new Map<string, string | null>()
    for (const tool of chosenTools) callable.set(tool.name, yield* argumentsFor(tool))
    if (answerTool !== null) callable.set(answerTool.name, grammar)
    const instruction = chosenTools.length === 0 ? instructionOf(format) : null
    const functions = chosenTools.length === 0
      ? {}
      : describeTools(answerTool === null ? tools : [...tools, answerTool])
    return {
      history: withInstruction(historyOf(messages), instruction),
      tools: functions,
      callable,
      mustCall: isForced || answerTool !== null,
      allowsParallelCalls: parallelTools && typeof toolChoice !== "object" && answerTool === null,
      answerTool: answerTool?.name ?? null,
      grammar: chosenTools.length === 0 ? grammar : null,
      thoughtTokens: thoughtTokensOf(request),
      maxOutputTokens: limits.maxOutputTokens ?? Infinity,
      stop: (limits.stop ?? []).filter((text) => text !== ""),
      sampling: samplingOf(request),
      firstCall: requestsIn(messages) + 1,
      texts: [...messages.flatMap(textsOf), JSON.stringify(functions), instruction ?? ""]
    }
  })
