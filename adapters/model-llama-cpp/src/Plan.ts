import { BadRequest } from "@trunkline/errors"
import { type AnswerFormat, type Message, type ModelRequest, type ModelTool, wordsOf } from "@trunkline/models"
import { Either } from "effect"
import { historyOf } from "./History.js"
import type { AnswerOptions, Functions, HistoryItem } from "./LlamaModule.js"
import { argumentsFor, choosable, described, grammarFor } from "./Tools.js"

/** What is to be done for a request, in llama.cpp's words. */
export interface Plan {
  readonly history: ReadonlyArray<HistoryItem>
  /** The tools, as the model reads of them. */
  readonly tools: Functions
  /** The grammars of the arguments of those that it may ask for; null for one without any. */
  readonly callable: ReadonlyMap<string, string | null>
  readonly mustCall: boolean
  readonly mayCallSeveral: boolean
  /** Among `callable`, the one whose arguments are the answer's text. */
  readonly answerTool: string | null
  /** The grammar of the answer's text. */
  readonly form: string | null
  /** For how many tokens it may think. */
  readonly thoughtTokens: number
  readonly maxOutputTokens: number
  readonly stop: ReadonlyArray<string>
  readonly sampling: Pick<AnswerOptions, "temperature" | "topP" | "topK" | "repeatPenalty">
  /** The first number that is free for a tool request's id. */
  readonly firstCall: number
  /** Everything that the model is given to read. */
  readonly texts: ReadonlyArray<string>
}

const refused = (message: string) => Either.left(new BadRequest({ message, param: null }))

/** What llama.cpp does of its own accord. */
const usualTemperature = 0.8
const usualTopP = 0.95

/** How far back penalties look, in tokens; they cost time for each of them. */
const penalizedTokens = 4_096

const samplingOf = ({ sampling = {} }: ModelRequest): Plan["sampling"] => {
  const { frequencyPenalty = 0, presencePenalty = 0, temperature = usualTemperature, topK = 0, topP = usualTopP } =
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

/** Tokens of thinking by effort; ours. Above, and where nothing is said, the limit of the output is the limit. */
const thoughtTokens = { low: 1_024, medium: 4_096, high: Infinity, max: Infinity } as const

const thoughtTokensOf = ({ effort }: ModelRequest): number =>
  effort === null ? 0 : effort === undefined ? Infinity : thoughtTokens[effort]

const formOf = (format: AnswerFormat): Either.Either<string | null, BadRequest> => {
  switch (format.type) {
    case "text":
      return Either.right(null)
    case "json":
      return grammarFor({ type: "object" }, { name: "the answer", strict: false })
    case "schema":
      return grammarFor(format.schema, format)
  }
}

/** What the model is told of the form of its answer, so that it fills it well. */
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

/** Beside tools an answer that has a form is one more of them, since a grammar cannot hold for only a part of an answer. */
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

const lacking = ({ logprobs, messages }: ModelRequest): string | null => {
  const hasImages = messages.some(({ content }) =>
    typeof content === "object" && (content ?? []).some(({ type }) => type === "image")
  )
  if (hasImages) return "This model does not take images"
  return logprobs === undefined ? null : "This model does not tell logprobs"
}

const textsOf = (message: Message): ReadonlyArray<string> =>
  message.role === "assistant"
    ? [
      wordsOf(message.content),
      message.reasoning ?? "",
      ...message.toolRequests.flatMap(({ arguments: text, name }) => [name, text])
    ]
    : [wordsOf(message.content)]

const requestsIn = (messages: ReadonlyArray<Message>): number =>
  messages.reduce((sum, message) => sum + (message.role === "assistant" ? message.toolRequests.length : 0), 0)

/** What to do for a request, or why the model cannot. */
export const planOf = (request: ModelRequest): Either.Either<Plan, BadRequest> =>
  Either.gen(function*() {
    const { format = { type: "text" }, limits = {}, messages, parallelTools = true, toolChoice, tools = [] } = request
    const lack = lacking(request)
    if (lack !== null) return yield* refused(lack)
    const chosen = choosable(request)
    const isForced = typeof toolChoice === "object" || toolChoice === "required"
    if (isForced && chosen.length === 0) return yield* refused("The tool that is required is not among the tools")
    const form = yield* formOf(format)
    const answerTool = form !== null && chosen.length > 0 && !isForced ? answerToolOf(format, tools) : null
    const callable = new Map<string, string | null>()
    for (const tool of chosen) callable.set(tool.name, yield* argumentsFor(tool))
    if (answerTool !== null) callable.set(answerTool.name, form)
    const instruction = chosen.length === 0 ? instructionOf(format) : null
    const functions = chosen.length === 0 ? {} : described(answerTool === null ? tools : [...tools, answerTool])
    return {
      history: withInstruction(historyOf(messages), instruction),
      tools: functions,
      callable,
      mustCall: isForced || answerTool !== null,
      mayCallSeveral: parallelTools && typeof toolChoice !== "object" && answerTool === null,
      answerTool: answerTool?.name ?? null,
      form: chosen.length === 0 ? form : null,
      thoughtTokens: thoughtTokensOf(request),
      maxOutputTokens: limits.maxOutputTokens ?? Infinity,
      stop: (limits.stop ?? []).filter((text) => text !== ""),
      sampling: samplingOf(request),
      firstCall: requestsIn(messages) + 1,
      texts: [...messages.flatMap(textsOf), JSON.stringify(functions), instruction ?? ""]
    }
  })
