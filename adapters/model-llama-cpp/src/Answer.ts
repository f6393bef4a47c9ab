import type { FinishReason, Usage } from "@trunkline/models"
import { type AnswerContext, type Generator, makeGenerator } from "./Generator.js"
import type { Functions, GenerationResult, HistoryItem, LlamaText } from "./LlamaModule.js"
import type { LlamaPlan } from "./Plan.js"
import { type ChatModel, type PromptStart, promptStartOf } from "./Prompt.js"

/** Outcome of an answer: why it ended, and its usage. */
export interface Written {
  readonly finish: FinishReason
  readonly usage: Usage
}

interface Work extends PromptStart, AnswerContext {
  readonly chatModel: ChatModel
  readonly plan: LlamaPlan
  readonly generate: Generator["generate"]
}

/** Tokens within which a model that wants another tool names it after a call. */
const nextCallTokens = 16

const isCut = (answeredGeneration: GenerationResult | null) =>
  answeredGeneration === null || answeredGeneration.metadata.stopReason === "maxTokens"

/** Returns the tool whose name ended a generation. */
const calledIn = (answeredGeneration: GenerationResult | null): string | undefined =>
  answeredGeneration?.metadata.stopReason === "functionCalls"
    ? answeredGeneration.functionCalls?.[0]?.functionName
    : undefined

/**
 * The tools that may be called, by name only: llama.cpp detects a call however its template writes it, and the
 * arguments are generated separately, under a grammar for their whole schema.
 */
const namesOf = ({ callable }: LlamaPlan) => {
  const functions: Functions = Object.fromEntries([...callable.keys()].map((name) => [name, {}]))
  return { functions, maxParallelFunctionCalls: 1 }
}

const grammarOf = ({ llama }: ChatModel, grammar: string) => llama.createGrammar({ grammar })

/** Generates the arguments of a tool call, then further calls that belong to the same turn. */
const callTools = async (
  { chatModel, generate, plan, templates, writer }: Work,
  history: ReadonlyArray<HistoryItem>,
  first: string
): Promise<FinishReason> => {
  const parts: Array<string | LlamaText> = []
  for (let name: string | undefined = first; name !== undefined;) {
    const isAnswer = name === plan.answerTool
    const rules: string | null = plan.callable.get(name) ?? null
    let args = ""
    const onText = (text: string) => {
      args += text
      if (isAnswer) writer.text(text)
      else writer.args(text)
    }
    if (!isAnswer) writer.call(name)
    parts.push(...templates.opening(name, parts.length === 0))
    if (rules === null) onText("{}")
    else {
      const grammar = await grammarOf(chatModel, rules)
      if (isCut(await generate(templates.after(parts), history, { grammar, onText }))) return "length"
    }
    if (isAnswer) return "stop"
    if (!plan.allowsParallelCalls || !templates.supportsParallelCalls) return "tool_calls"
    parts.push(args, ...templates.closing(name))
    name = calledIn(
      await generate(templates.after(parts), history, { ...namesOf(plan), maxOutputTokens: nextCallTokens })
    )
  }
  return "tool_calls"
}

const finish = async (work: Work): Promise<FinishReason> => {
  const { chatModel, generate, history, plan, templates, writer: { text: onText } } = work
  if (plan.grammar !== null) {
    const grammar = await grammarOf(chatModel, plan.grammar)
    return isCut(await generate(templates.constrained, history, { grammar, onText })) ? "length" : "stop"
  }
  if (plan.callable.size === 0) return isCut(await generate(templates.free, history, { onText })) ? "length" : "stop"
  const beginning = plan.mustCall ? templates.calling : templates.free
  const answeredGeneration = await generate(beginning, history, { ...namesOf(plan), onText })
  const calledText = calledIn(answeredGeneration)
  if (answeredGeneration !== null && calledText !== undefined) {
    return callTools(work, answeredGeneration.lastEvaluation.cleanHistory, calledText)
  }
  return isCut(answeredGeneration) ? "length" : "stop"
}

/** Generates an answer. Rejects when its signal is aborted or llama.cpp fails. */
export const write = async (chatModel: ChatModel, plan: LlamaPlan, writing: AnswerContext): Promise<Written> => {
  const { signal, writer } = writing
  const { generate, usage } = makeGenerator(chatModel, plan, writing)
  const work: Work = { ...writing, ...promptStartOf(chatModel, plan), chatModel, plan, generate }
  const awaitFinish = async (): Promise<FinishReason> => {
    try {
      return await finish(work)
    } catch (error) {
      if (writer.isStopped() && !signal.aborted) return "stop"
      throw error
    }
  }
  const reason = await awaitFinish()
  writer.flush()
  return { finish: writer.isStopped() ? "stop" : reason, usage: usage() }
}
