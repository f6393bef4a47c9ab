import type { Variables } from "@trunkline/kernel"
import type { FinishReason, ModelFailure } from "@trunkline/models"
import type { Duration } from "effect"
import type { Captures, Matcher } from "./Matchers.js"
import { defaultAnswer } from "./PhoneAnswer.js"
import type { ScriptedAnswer, ScriptedTool, ScriptedTurn } from "./ScriptedTurn.js"
import { describeResult, excerpt, truncate } from "./Text.js"

const token = /\{\{\s*([\p{L}\p{M}\p{N}_]+)\s*\}\}/gu

/** A value in words takes at most so many UTF-16 units. */
const longest = 500

/** What every rule can say: `user`, `tool`, `result`, `model` and `turn`. */
export const variablesOf = ({ request, toolResult, turn, userText }: ScriptedTurn): Variables => ({
  user: excerpt(userText, longest),
  tool: toolResult?.name ?? null,
  result: toolResult === null ? null : describeResult(toolResult.content),
  model: request.model,
  turn
})

/**
 * Puts the values of variables in place of `{{name}}`; null leaves nothing behind, and a name that is not known stays as
 * it is written. Values are inserted as they are, never filled again.
 */
export const fill = (template: string, variables: Variables): string =>
  template.replace(
    token,
    (written, name: string) =>
      Object.hasOwn(variables, name) ? truncate(String(variables[name] ?? ""), longest) : written
  )

/** Fills all texts in a JSON value, but not the names of its fields. */
export const fillAll = (value: unknown, variables: Variables): unknown => {
  if (typeof value === "string") return fill(value, variables)
  if (Array.isArray(value)) return value.map((item) => fillAll(item, variables))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillAll(item, variables)]))
}

/**
 * A rule of the scripted model. The first rule whose `when` holds is followed: it waits, then fails, or thinks, says its
 * reply and asks for its tools, whatever tools and form the request names. A rule without a reply, a tool or a refusal
 * leaves the answer to the model's own manners.
 *
 * In its words, `{{name}}` stands for what the matcher has found, a variable of the rule or of the layer, or else for
 * one of these: `user` (the user's words), `tool` and `result` (the latest tool and what it found, in words), `model`,
 * and `turn` (how often the user has spoken). Names that are not known stay as they are written.
 */
export interface ScriptedRule {
  readonly when: Matcher
  /** Technical time, as with a slow model; it does not pass while `VirtualClock` is held. */
  readonly delay?: Duration.DurationInput
  readonly error?: ModelFailure
  /** How many words of the text come before the error; it fails at once unless told. */
  readonly failsAfter?: number
  /** Words to say, filled; those of a function are said as they are. */
  readonly reply?: string | ((turn: ScriptedTurn, found: Captures) => string)
  /** A tool to ask for, or several. Texts in its arguments are filled. */
  readonly toolCall?: ScriptedTool | ReadonlyArray<ScriptedTool>
  /** What to think before, filled; the model's own thoughts unless told, and an empty text for none. */
  readonly reasoning?: string
  /** Why there is no answer, filled. */
  readonly refusal?: string
  /** How the answer ends; `tool_calls` or `stop` unless told. */
  readonly finish?: FinishReason
  /** For the words of this rule. */
  readonly variables?: Variables
}

const isList = (tools: ScriptedTool | ReadonlyArray<ScriptedTool>): tools is ReadonlyArray<ScriptedTool> =>
  Array.isArray(tools)

const fillTool = ({ arguments: args = {}, name }: ScriptedTool, variables: Variables): ScriptedTool => ({
  name,
  arguments: typeof args === "string" ? fill(args, variables) : JSON.stringify(fillAll(args, variables))
})

/** The answer that a rule gives; that of the model's own manners where it gives none. */
const answerByRule = (
  turn: ScriptedTurn,
  rule: ScriptedRule,
  found: Captures,
  variables: Variables
): ScriptedAnswer => {
  const { finish, reasoning, refusal, reply, toolCall } = rule
  const known = { ...variablesOf(turn), ...variables, ...rule.variables, ...found }
  const isSilent = reply === undefined && toolCall === undefined && refusal === undefined
  const tools = toolCall === undefined ? [] : isList(toolCall) ? toolCall : [toolCall]
  return {
    ...(isSilent ? defaultAnswer(turn) : { tools: tools.map((tool) => fillTool(tool, known)) }),
    ...(reply !== undefined && { text: typeof reply === "string" ? fill(reply, known) : reply(turn, found) }),
    ...(reasoning !== undefined && { reasoning: fill(reasoning, known) }),
    ...(refusal !== undefined && { refusal: fill(refusal, known) }),
    ...(finish !== undefined && { finish })
  }
}

/** The first rule that holds, if any, and what is meant to be answered. */
export const matchRule = (
  turn: ScriptedTurn,
  rules: ReadonlyArray<ScriptedRule>,
  variables: Variables
): { readonly rule?: ScriptedRule; readonly meant: () => ScriptedAnswer } => {
  for (const rule of rules) {
    const found = rule.when(turn)
    if (found !== false) return { rule, meant: () => answerByRule(turn, rule, found === true ? {} : found, variables) }
  }
  return { meant: () => defaultAnswer(turn) }
}
