import type { Variables } from "@trunkline/kernel"
import type { FinishReason, ModelFailure } from "@trunkline/models"
import type { Duration } from "effect"
import type { Captures, Matcher } from "./Matchers.js"
import { defaultAnswer } from "./PhoneAnswer.js"
import type { ScriptedAnswer, ScriptedTool, ScriptedTurn } from "./ScriptedTurn.js"
import { describeResult, excerpt, truncate } from "./Text.js"

const token = /\{\{\s*([\p{L}\p{M}\p{N}_]+)\s*\}\}/gu

/** Longest inserted value, in UTF-16 units. */
const maxPatternLength = 500

/** Variables of every rule: `user`, `tool`, `result`, `model` and `turn`. */
const variablesOf = ({ request, toolResult, turn, userText }: ScriptedTurn): Variables => ({
  user: excerpt(userText, maxPatternLength),
  tool: toolResult?.name ?? null,
  result: toolResult === null ? null : describeResult(toolResult.content),
  model: request.model,
  turn
})

/**
 * Replaces `{{name}}` by the values of variables; null by nothing. Unknown names stay as they are. Inserted values are
 * not expanded again.
 */
const fill = (template: string, variables: Variables): string =>
  template.replace(
    token,
    (writtenText, name: string) =>
      Object.hasOwn(variables, name) ? truncate(String(variables[name] ?? ""), maxPatternLength) : writtenText
  )

/** Fills all strings in a JSON value, but not its field names. */
const fillAll = (value: unknown, variables: Variables): unknown => {
  if (typeof value === "string") return fill(value, variables)
  if (Array.isArray(value)) return value.map((item) => fillAll(item, variables))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillAll(item, variables)]))
}

/**
 * A rule of the scripted model. The first rule whose `when` matches applies: it waits, then fails, or thinks, replies
 * and calls its tools, whatever tools and format the request names. A rule without a reply, tool or refusal gives the
 * default answer.
 *
 * In its texts, `{{name}}` stands for a capture of the matcher, a variable of the rule or of the layer, or one of
 * these: `user` (the user's message), `tool` and `result` (the latest tool and its result in words), `model`, and
 * `turn` (the number of the user's messages). Unknown names stay as they are.
 *
 * @example
 * const rule: ScriptedRule = { when: userSays(/call me (?<name>\\w+)/), reply: "Hello {{name}}!" }
 */
export interface ScriptedRule {
  readonly when: Matcher
  /** Delay of a slow model, in technical time: it does not pass while `VirtualClock` is held. */
  readonly delay?: Duration.DurationInput
  readonly error?: ModelFailure
  /** Words of the text before the error. Default: none. */
  readonly failsAfter?: number
  /** Text of the reply, with variables filled; texts of a function are used as they are. */
  readonly reply?: string | ((turn: ScriptedTurn, captures: Captures) => string)
  /** Tools to call, with variables filled in the strings of their arguments. */
  readonly toolCall?: ScriptedTool | ReadonlyArray<ScriptedTool>
  /** Thoughts before the reply, with variables filled; an empty text for none. Default: generated thoughts. */
  readonly reasoning?: string
  /** Refusal instead of an answer, with variables filled. */
  readonly refusal?: string
  /** Finish reason. Default: `tool_calls` or `stop`. */
  readonly finish?: FinishReason
  /** Variables for the texts of this rule. */
  readonly variables?: Variables
}

const isList = (tools: ScriptedTool | ReadonlyArray<ScriptedTool>): tools is ReadonlyArray<ScriptedTool> =>
  Array.isArray(tools)

const fillTool = ({ arguments: args = {}, name }: ScriptedTool, variables: Variables): ScriptedTool => ({
  name,
  arguments: typeof args === "string" ? fill(args, variables) : JSON.stringify(fillAll(args, variables))
})

/** Builds the answer of a rule, or the default answer if the rule has none. */
const answerByRule = (
  turn: ScriptedTurn,
  rule: ScriptedRule,
  captures: Captures,
  variables: Variables
): ScriptedAnswer => {
  const { finish, reasoning, refusal, reply, toolCall } = rule
  const values = { ...variablesOf(turn), ...variables, ...rule.variables, ...captures }
  const isSilent = reply === undefined && toolCall === undefined && refusal === undefined
  const tools = toolCall === undefined ? [] : isList(toolCall) ? toolCall : [toolCall]
  return {
    ...(isSilent ? defaultAnswer(turn) : { tools: tools.map((tool) => fillTool(tool, values)) }),
    ...(reply !== undefined && { text: typeof reply === "string" ? fill(reply, values) : reply(turn, captures) }),
    ...(reasoning !== undefined && { reasoning: fill(reasoning, values) }),
    ...(refusal !== undefined && { refusal: fill(refusal, values) }),
    ...(finish !== undefined && { finish })
  }
}

/** Finds the first rule that matches, and its answer. */
export const matchRule = (
  turn: ScriptedTurn,
  rules: ReadonlyArray<ScriptedRule>,
  variables: Variables
): { readonly rule?: ScriptedRule; readonly meant: () => ScriptedAnswer } => {
  for (const rule of rules) {
    const captures = rule.when(turn)
    if (captures !== false) {
      return {
        rule,
        meant: () => answerByRule(turn, rule, captures === true ? {} : captures, variables)
      }
    }
  }
  return { meant: () => defaultAnswer(turn) }
}
