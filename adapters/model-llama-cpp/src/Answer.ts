import type { FinishReason, Usage } from "@trunkline/models"
import type { Answered, Functions, HistoryItem, LlamaText } from "./LlamaModule.js"
import { makePassages, type Passages, type Writing } from "./Passages.js"
import type { Plan } from "./Plan.js"
import { type Beginning, beginningOf, type Desk } from "./Prompt.js"

/** How an answer ended, and what it took. */
export interface Written {
  readonly finish: FinishReason
  readonly usage: Usage
}

interface Work extends Beginning, Writing {
  readonly desk: Desk
  readonly plan: Plan
  readonly goOn: Passages["goOn"]
}

/** After a request for a tool, a model that wants another one says so within as many tokens. */
const nextCallTokens = 16

const isCut = (answered: Answered | null) => answered === null || answered.metadata.stopReason === "maxTokens"

/** The tool that a passage ended with. */
const calledIn = (answered: Answered | null): string | undefined =>
  answered?.metadata.stopReason === "functionCalls" ? answered.functionCalls?.[0]?.functionName : undefined

/**
 * The tools that may be asked for, by name only: llama.cpp finds where one is called, however its template writes that,
 * and the arguments are another passage, under a grammar that keeps the whole of their schema.
 */
const namesOf = ({ callable }: Plan) => {
  const functions: Functions = Object.fromEntries([...callable.keys()].map((name) => [name, {}]))
  return { functions, maxParallelFunctionCalls: 1 }
}

const grammarOf = ({ llama }: Desk, grammar: string) => llama.createGrammar({ grammar })

/** Writes the arguments of a tool after what was told, and then other tools that are asked for together with it. */
const callTools = async (
  { desk, goOn, plan, templates, writer }: Work,
  told: ReadonlyArray<HistoryItem>,
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
      const grammar = await grammarOf(desk, rules)
      if (isCut(await goOn(templates.after(parts), told, { grammar, onText }))) return "length"
    }
    if (isAnswer) return "stop"
    if (!plan.mayCallSeveral || !templates.takesSeveral) return "tool_calls"
    parts.push(args, ...templates.closing(name))
    name = calledIn(await goOn(templates.after(parts), told, { ...namesOf(plan), mostTokens: nextCallTokens }))
  }
  return "tool_calls"
}

const finish = async (work: Work): Promise<FinishReason> => {
  const { desk, goOn, history, plan, templates, writer: { text: onText } } = work
  if (plan.form !== null) {
    const grammar = await grammarOf(desk, plan.form)
    return isCut(await goOn(templates.formed, history, { grammar, onText })) ? "length" : "stop"
  }
  if (plan.callable.size === 0) return isCut(await goOn(templates.free, history, { onText })) ? "length" : "stop"
  const beginning = plan.mustCall ? templates.calling : templates.free
  const answered = await goOn(beginning, history, { ...namesOf(plan), onText })
  const called = calledIn(answered)
  if (answered !== null && called !== undefined) return callTools(work, answered.lastEvaluation.cleanHistory, called)
  return isCut(answered) ? "length" : "stop"
}

/** Writes an answer. It rejects when its signal is aborted, or when llama.cpp fails. */
export const write = async (desk: Desk, plan: Plan, writing: Writing): Promise<Written> => {
  const { signal, writer } = writing
  const { goOn, usage } = makePassages(desk, plan, writing)
  const work: Work = { ...writing, ...beginningOf(desk, plan), desk, plan, goOn }
  const ended = async (): Promise<FinishReason> => {
    try {
      return await finish(work)
    } catch (error) {
      if (writer.stopped() && !signal.aborted) return "stop"
      throw error
    }
  }
  const reason = await ended()
  writer.flush()
  return { finish: writer.stopped() ? "stop" : reason, usage: usage() }
}
