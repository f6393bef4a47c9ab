import { BadRequest } from "@trunkline/errors"
import type { ChatWrapper, HistoryItem, Token } from "./LlamaModule.js"
import type { OpenedModel } from "./OpenedModel.js"
import type { Plan } from "./Plan.js"
import { opened, type Templates, templatesOf } from "./Templates.js"

/** A model and its chat template. */
export interface Desk extends OpenedModel {
  readonly wrapper: ChatWrapper
}

/** A conversation as the model is to go on with it, and the ways to show it. */
export interface Beginning {
  readonly history: ReadonlyArray<HistoryItem>
  readonly templates: Templates
}

/** llama.cpp begins to forget the beginning when fewer places are left than these. */
const spare = 2

/** What the marks around a tool's name may take beside it. */
const spareForCalls = 64

/** How an answer begins. Under a grammar, and where a tool is required, a model does not think first. */
export const beginningOf = (
  { module, wrapper }: Desk,
  { form, history, mustCall, thoughtTokens, tools }: Plan
): Beginning => {
  const templates = templatesOf(module, wrapper, tools)
  const isThoughtless = mustCall || form !== null || thoughtTokens === 0
  return { templates, history: opened(history, isThoughtless && templates.knowsThoughts) }
}

/** What the model reads before it goes on, in tokens. */
export const tokensOf = (
  { model }: Desk,
  wrapper: ChatWrapper,
  history: ReadonlyArray<HistoryItem>
): ReadonlyArray<Token> => {
  const isOpen = history.at(-1)?.type === "model"
  const chatHistory: ReadonlyArray<HistoryItem> = isOpen ? history : [...history, { type: "model", response: [] }]
  return wrapper.generateContextState({ chatHistory }).contextText.tokenize(model.tokenizer)
}

/** The prompt of an answer, in tokens. */
export const promptOf = (desk: Desk, plan: Plan): ReadonlyArray<Token> => {
  const { history, templates } = beginningOf(desk, plan)
  return tokensOf(desk, templates.free, history)
}

/** How many tokens a context has room for after a prompt. */
export const roomAfter = (prompt: ReadonlyArray<Token>, contextSize: number, mayCall: boolean): number =>
  contextSize - prompt.length - spare - (mayCall ? spareForCalls : 0)

/** Why a prompt of so many tokens, or more, cannot be answered. */
export const tooLong = (tokens: number, contextSize: number) =>
  new BadRequest({
    message: `The context of this model holds ${contextSize} tokens. The input takes at least ${tokens} of them`,
    param: null
  })
