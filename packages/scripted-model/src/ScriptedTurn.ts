import { type FinishReason, type Message, type ModelRequest, textOf, wordsOf } from "@trunkline/models"
import { excerpt } from "./Text.js"

/** A tool to ask for. */
export interface ScriptedTool {
  readonly name: string
  /** Written as JSON; a text is taken for JSON text as it is, even if it is none. `{}` unless told. */
  readonly arguments?: Readonly<Record<string, unknown>> | string
}

/** Words to say and tools to ask for. */
export interface ScriptedAnswer {
  readonly text?: string
  readonly tools?: ReadonlyArray<ScriptedTool>
  /** What is thought before. */
  readonly reasoning?: string
  /** Why there is no answer. */
  readonly refusal?: string
  /** Unless told, `tool_calls` where tools are asked for, and otherwise `stop`. */
  readonly finish?: FinishReason
}

/** What a tool has found. */
export interface ToolResult {
  /** The tool; empty where it is not known. */
  readonly name: string
  readonly content: string
}

/** What the scripted model looks at before it answers. */
export interface ScriptedTurn {
  readonly request: ModelRequest
  /** Who had the last word; null in an empty conversation. */
  readonly role: Message["role"] | null
  /** The user's latest words, or an empty text. Where there is no user, those of another role. */
  readonly userText: string
  /** The tool whose result stands last, with that result. */
  readonly toolResult: ToolResult | null
  /** How often the user has spoken. */
  readonly turn: number
}

/** Instructions that are looked at, in messages and in UTF-16 units. */
const mostInstructions = { messages: 20, units: 8_000 }

/** Results and requests at the end of a conversation that are looked at. */
const mostResults = 20

const nameOf = (messages: ReadonlyArray<Message>, result: Extract<Message, { readonly role: "tool" }>): string => {
  if (result.name !== "") return result.name
  const asking = messages.findLast((message) =>
    message.role === "assistant" && message.toolRequests.some(({ id }) => id === result.toolRequestId)
  )
  return asking?.role === "assistant"
    ? asking.toolRequests.find(({ id }) => id === result.toolRequestId)?.name ?? ""
    : ""
}

/** The results of tools with which a conversation ends, first ones first; at most twenty. */
export const latestResults = ({ messages }: ModelRequest): ReadonlyArray<ToolResult> => {
  const after = messages.findLastIndex(({ role }) => role !== "tool") + 1
  return messages.slice(Math.max(after, messages.length - mostResults)).flatMap((message) =>
    message.role === "tool" ? [{ name: nameOf(messages, message), content: wordsOf(message.content) }] : []
  )
}

/** The instructions of a conversation, or the beginning and the end of long ones. */
export const instructionsOf = ({ messages }: ModelRequest): string =>
  excerpt(
    messages.filter(({ role }) => role === "system").slice(0, mostInstructions.messages)
      .map((message) => excerpt(textOf(message), mostInstructions.units)).join("\n"),
    mostInstructions.units
  )

/** What there is to see of a request. */
export const turnOf = (request: ModelRequest): ScriptedTurn => {
  const { messages } = request
  const last = messages.at(-1)
  const user = messages.findLast(({ role }) => role === "user") ?? messages.findLast(({ role }) => role === "other")
  return {
    request,
    role: last?.role ?? null,
    userText: user === undefined ? "" : textOf(user),
    toolResult: last?.role === "tool" ? { name: nameOf(messages, last), content: wordsOf(last.content) } : null,
    turn: messages.filter(({ role }) => role === "user").length
  }
}
