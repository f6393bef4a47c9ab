import type { ChatWrapper, ContextState, Functions, HistoryItem, LlamaModule, LlamaText } from "./LlamaModule.js"

type Part = string | LlamaText

/** A template that shows something else in the place of a conversation. */
const changed = (
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

/** A template that knows no thoughts: what stands between their marks is text like any other. */
const thoughtless = (wrapper: ChatWrapper): ChatWrapper => {
  const settings = { ...wrapper.settings, segments: {} }
  return new Proxy(wrapper, { get: (its, key) => key === "settings" ? settings : Reflect.get(its, key, its) })
}

/** The ways in which one template is used for an answer. Whatever llama.cpp is told, it describes these functions. */
export interface Templates {
  /** For an answer in which tools may be asked for. */
  readonly free: ChatWrapper
  /** For an answer that begins with the name of a tool. */
  readonly calling: ChatWrapper
  /** For an answer under a grammar. */
  readonly formed: ChatWrapper
  /** For an answer that goes on, under a grammar or with the name of a tool, after these parts of it. */
  readonly after: (parts: ReadonlyArray<Part>) => ChatWrapper
  /** What a request for a tool begins with: after another one, and up to its arguments. */
  readonly opening: (name: string, isFirst: boolean) => ReadonlyArray<Part>
  /** What it ends with. */
  readonly closing: (name: string) => ReadonlyArray<Part>
  /** Whether several tools can be asked for in one answer. */
  readonly takesSeveral: boolean
  readonly knowsThoughts: boolean
}

/** The conversation as the model is to go on with it. `isThoughtless`: it has done its thinking. */
export const opened = (history: ReadonlyArray<HistoryItem>, isThoughtless: boolean): ReadonlyArray<HistoryItem> => {
  if (!isThoughtless || history.at(-1)?.type === "model") return history
  return [...history, {
    type: "model",
    response: [{ type: "segment", segmentType: "thought", text: "", ended: true }]
  }]
}

/** The uses of a model's template. */
export const templatesOf = (
  { LlamaText: textOf }: Pick<LlamaModule, "LlamaText">,
  wrapper: ChatWrapper,
  functions: Functions
): Templates => {
  const { functions: { call, parallelism }, segments } = wrapper.settings
  const named = (part: Part, name: string): LlamaText =>
    textOf([part]).mapValues((value) =>
      typeof value === "string" ? value.replaceAll("{{functionName}}", () => name) : value
    )
  return {
    free: changed(wrapper, functions, (state) => state),
    calling: thoughtless(changed(wrapper, functions, ({ contextText }) => ({
      contextText,
      stopGenerationTriggers: [],
      functionCall: { initiallyEngaged: true, disengageInitiallyEngaged: [] }
    }))),
    formed: thoughtless(changed(wrapper, functions, (state) => ({ ...state, stopGenerationTriggers: [] }))),
    after: (parts) =>
      thoughtless(changed(wrapper, functions, ({ contextText }) => ({
        contextText: textOf([contextText, ...parts]),
        stopGenerationTriggers: []
      }))),
    opening: (name, isFirst) => [
      (isFirst ? parallelism?.call.sectionPrefix : parallelism?.call.betweenCalls) ?? "",
      call.prefix,
      name,
      named(call.paramsPrefix, name)
    ],
    closing: (name) => [named(call.suffix, name)],
    takesSeveral: parallelism !== undefined,
    knowsThoughts: segments?.thought !== undefined
  }
}
