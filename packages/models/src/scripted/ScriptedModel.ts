import type { BadRequest, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import { type Duration, Effect, Stream } from "effect"
import { type Completion, deltasOf } from "../answer/Completion.js"
import { type Message, textOf, wordsOf } from "../Message.js"
import type { ModelRequest } from "../ModelRequest.js"
import { politeAnswer } from "./PoliteTalk.js"

/** What the scripted model looks at before it answers. */
export interface ScriptedTurn {
  readonly request: ModelRequest
  /** Who had the last word; null in an empty conversation. */
  readonly role: Message["role"] | null
  /** The user's latest words, or an empty text. */
  readonly userText: string
  /** The tool whose result stands last, with that result. */
  readonly toolResult: { readonly name: string; readonly content: string } | null
}

/** Words to say and tools to ask for; arguments are written as JSON. */
export interface ScriptedAnswer {
  readonly text?: string
  readonly tools?: ReadonlyArray<{ readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }>
}

/**
 * A rule of the scripted model. The first rule whose `when` holds is followed: it waits, then fails, says its reply and
 * asks for its tool. A rule that only waits leaves the answer to the model's own manners.
 */
export interface ScriptedRule {
  readonly when: (turn: ScriptedTurn) => boolean
  /** Technical time, as with a slow model; it does not pass while `VirtualClock` is held. */
  readonly delay?: Duration.DurationInput
  readonly error?: ModelUnavailable | ModelTimedOut | BadRequest
  readonly reply?: string | ((turn: ScriptedTurn) => string)
  readonly toolCall?: { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> }
}

/** Always. */
export const always = (): boolean => true

/** The user had the last word, and in it said this, in any case of letters. */
export const userSays = (text: string) => (turn: ScriptedTurn): boolean =>
  turn.role === "user" && turn.userText.toLowerCase().includes(text.toLowerCase())

/** The result of this tool has just come in. */
export const toolAnswered = (name: string) => (turn: ScriptedTurn): boolean => turn.toolResult?.name === name

const turnOf = (request: ModelRequest): ScriptedTurn => {
  const last = request.messages.at(-1)
  const user = request.messages.findLast((message) => message.role === "user")
  return {
    request,
    role: last?.role ?? null,
    userText: user === undefined ? "" : textOf(user),
    toolResult: last?.role === "tool" ? { name: last.name, content: wordsOf(last.content) } : null
  }
}

const answerOf = (turn: ScriptedTurn, rule: ScriptedRule | undefined): ScriptedAnswer => {
  if (rule === undefined || (rule.reply === undefined && rule.toolCall === undefined)) return politeAnswer(turn)
  const { reply, toolCall } = rule
  return {
    ...(reply === undefined ? {} : { text: typeof reply === "string" ? reply : reply(turn) }),
    ...(toolCall === undefined ? {} : { tools: [{ name: toolCall.name, arguments: toolCall.arguments ?? {} }] })
  }
}

const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length

const completionOf = (request: ModelRequest, { text = "", tools = [] }: ScriptedAnswer): Completion => {
  const earlier = request.messages.flatMap((message) => message.role === "assistant" ? message.toolRequests : []).length
  const toolRequests = tools.map((tool, index) => ({
    id: `call_${earlier + index + 1}`,
    name: tool.name,
    arguments: JSON.stringify(tool.arguments)
  }))
  return {
    text,
    reasoning: "",
    refusal: null,
    logprobs: [],
    toolRequests,
    finish: toolRequests.length > 0 ? "tool_calls" : "stop",
    usage: {
      inputTokens: countWords(request.messages.map(textOf).join(" ")),
      cachedTokens: 0,
      outputTokens: countWords([text, ...toolRequests.map((tool) => tool.arguments)].join(" ")),
      reasoningTokens: 0
    }
  }
}

/** The scripted model's two ways to answer. A word counts as one token. */
export const makeScripted = (rules: ReadonlyArray<ScriptedRule>) => {
  const generate = Effect.fn("ScriptedModel.generate")(function*(request: ModelRequest) {
    const turn = turnOf(request)
    const rule = rules.find((rule) => rule.when(turn))
    if (rule?.delay !== undefined) yield* Effect.sleep(rule.delay)
    if (rule?.error !== undefined) return yield* rule.error
    return completionOf(request, answerOf(turn, rule))
  })
  return {
    generate,
    stream: (request: ModelRequest) =>
      Stream.unwrap(Effect.map(generate(request), (completion) => Stream.fromIterable(deltasOf(completion))))
  }
}
