import { BadRequest } from "@trunkline/errors"
import type {
  ChatWrapper,
  ContextState,
  Functions,
  HistoryItem,
  LlamaModule,
  LlamaText,
  LlamaToken
} from "./LlamaModule.js"
import type { OpenedModel } from "./OpenedModel.js"
import type { LlamaPlan } from "./Plan.js"

type Part = string | LlamaText

/** Wraps a template so that it renders a changed context state. */
const wrapTemplate = (
  wrapper: ChatWrapper,
  functions: Functions,
  change: (state: ContextState) => ContextState
): ChatWrapper => {
  const generateContextState: ChatWrapper["generateContextState"] = ({ chatHistory }) =>
    change(wrapper.generateContextState({
      chatHistory,
      ...(Object.keys(functions).length > 0 && { availableFunctions: functions })
    }))
  return new Proxy(wrapper, {
    get: (its, key) => key === "generateContextState" ? generateContextState : Reflect.get(its, key, its)
  })
}

/** Wraps a template so that thought markers are plain text. */
const withoutThoughts = (wrapper: ChatWrapper): ChatWrapper => {
  const settings = { ...wrapper.settings, segments: {} }
  return new Proxy(wrapper, { get: (its, key) => key === "settings" ? settings : Reflect.get(its, key, its) })
}

/** Variants of one chat template for the parts of an answer. All of them describe the same functions. */
export interface Templates {
  /** For an answer that may call tools. */
  readonly free: ChatWrapper
  /** For an answer that begins with the name of a tool. */
  readonly calling: ChatWrapper
  /** For an answer constrained by a grammar. */
  readonly constrained: ChatWrapper
  /** For the continuation of an answer after these parts, constrained by a grammar or with the name of a tool. */
  readonly after: (parts: ReadonlyArray<Part>) => ChatWrapper
  /** Text of a tool call up to its arguments. */
  readonly opening: (name: string, isFirst: boolean) => ReadonlyArray<Part>
  /** Text that ends a tool call. */
  readonly closing: (name: string) => ReadonlyArray<Part>
  /** True when one answer can call several tools. */
  readonly supportsParallelCalls: boolean
  readonly supportsThoughts: boolean
}

/** Returns the history that the model continues; with `isThoughtless`, it ends with a finished, empty thought. */
const withClosedThought = (
  history: ReadonlyArray<HistoryItem>,
  isThoughtless: boolean
): ReadonlyArray<HistoryItem> => {
  if (!isThoughtless || history.at(-1)?.type === "model") return history
  return [...history, {
    type: "model",
    response: [{ type: "segment", segmentType: "thought", text: "", ended: true }]
  }]
}

/** Makes the variants of a model's chat template. */
const templatesOf = (
  { LlamaText: textOf }: Pick<LlamaModule, "LlamaText">,
  wrapper: ChatWrapper,
  functions: Functions
): Templates => {
  const { functions: { call, parallelism }, segments } = wrapper.settings
  const namedText = (part: Part, name: string): LlamaText =>
    textOf([part]).mapValues((value) =>
      typeof value === "string" ? value.replaceAll("{{functionName}}", () => name) : value
    )
  return {
    free: wrapTemplate(wrapper, functions, (state) => state),
    calling: withoutThoughts(wrapTemplate(wrapper, functions, ({ contextText }) => ({
      contextText,
      stopGenerationTriggers: [],
      functionCall: { initiallyEngaged: true, disengageInitiallyEngaged: [] }
    }))),
    constrained: withoutThoughts(
      wrapTemplate(wrapper, functions, (state) => ({ ...state, stopGenerationTriggers: [] }))
    ),
    after: (parts) =>
      withoutThoughts(wrapTemplate(wrapper, functions, ({ contextText }) => ({
        contextText: textOf([contextText, ...parts]),
        stopGenerationTriggers: []
      }))),
    opening: (name, isFirst) => [
      (isFirst ? parallelism?.call.sectionPrefix : parallelism?.call.betweenCalls) ?? "",
      call.prefix,
      name,
      namedText(call.paramsPrefix, name)
    ],
    closing: (name) => [namedText(call.suffix, name)],
    supportsParallelCalls: parallelism !== undefined,
    supportsThoughts: segments?.thought !== undefined
  }
}

/** A model and its chat template. */
export interface ChatModel extends OpenedModel {
  readonly wrapper: ChatWrapper
}

/** The history that the model continues, and the templates that render it. */
export interface PromptStart {
  readonly history: ReadonlyArray<HistoryItem>
  readonly templates: Templates
}

/** llama.cpp starts to drop the beginning of the context when fewer tokens than these are free. */
const reservedTokens = 2

/** Tokens that the markers around a tool's name may take. */
const reservedForCalls = 64

/** Prepares the start of an answer. With a grammar or a required tool, the model does not think first. */
export const promptStartOf = (
  { module, wrapper }: ChatModel,
  { grammar, history, mustCall, thoughtTokens, tools }: LlamaPlan
): PromptStart => {
  const templates = templatesOf(module, wrapper, tools)
  const isThoughtless = mustCall || grammar !== null || thoughtTokens === 0
  return { templates, history: withClosedThought(history, isThoughtless && templates.supportsThoughts) }
}

/** Renders and tokenizes what the model reads before it continues. */
export const tokensOf = (
  { model }: ChatModel,
  wrapper: ChatWrapper,
  history: ReadonlyArray<HistoryItem>
): ReadonlyArray<LlamaToken> => {
  const isOpen = history.at(-1)?.type === "model"
  const chatHistory: ReadonlyArray<HistoryItem> = isOpen ? history : [...history, { type: "model", response: [] }]
  return wrapper.generateContextState({ chatHistory }).contextText.tokenize(model.tokenizer)
}

/** Renders and tokenizes the prompt of an answer. */
export const promptOf = (chatModel: ChatModel, plan: LlamaPlan): ReadonlyArray<LlamaToken> => {
  const { history, templates } = promptStartOf(chatModel, plan)
  return tokensOf(chatModel, templates.free, history)
}

/** Counts the tokens that are left in a context after a prompt. */
export const roomAfter = (prompt: ReadonlyArray<LlamaToken>, contextSize: number, mayCall: boolean): number =>
  contextSize - prompt.length - reservedTokens - (mayCall ? reservedForCalls : 0)

/** Failure of a prompt that does not fit into the context. */
export const contextExceeded = (tokens: number, contextSize: number) =>
  new BadRequest({
    message: `The context of this model holds ${contextSize} tokens. The input takes at least ${tokens} of them`,
    param: null
  })
