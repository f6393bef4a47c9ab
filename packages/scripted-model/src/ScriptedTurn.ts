import { contentText, type FinishReason, type Message, messageText, type ModelRequest } from "@trunkline/models"
import { excerpt } from "./Text.js"

/** A tool call. */
export interface ScriptedTool {
  readonly name: string
  /** Encoded as JSON; a string is used as it is, even if it is not JSON. Default: `{}`. */
  readonly arguments?: Readonly<Record<string, unknown>> | string
}

/** An answer of the scripted model. */
export interface ScriptedAnswer {
  readonly text?: string
  readonly tools?: ReadonlyArray<ScriptedTool>
  /** Thoughts before the answer. */
  readonly reasoning?: string
  /** Refusal instead of an answer. */
  readonly refusal?: string
  /** Default: `tool_calls` if tools are called, otherwise `stop`. */
  readonly finish?: FinishReason
}

/** A tool's result. */
export interface TurnToolResult {
  /** Name of the tool; empty if unknown. */
  readonly name: string
  readonly content: string
}

/** The state of a conversation that rules and matchers see. */
export interface ScriptedTurn {
  readonly request: ModelRequest
  /** Role of the last message; null in an empty conversation. */
  readonly role: Message["role"] | null
  /** The user's latest message, or an empty text. Without a user, that of another role. */
  readonly userText: string
  /** The tool result at the end of the conversation; null if there is none. */
  readonly toolResult: TurnToolResult | null
  /** Number of the user's messages. */
  readonly turn: number
}

/** Limits of the instructions that are read: messages and UTF-16 units. */
const maxInstructions = { messages: 20, units: 8_000 }

/** Upper bound of results at the end of a conversation that are read. */
const maxResults = 20

const nameOf = (messages: ReadonlyArray<Message>, result: Extract<Message, { readonly role: "tool" }>): string => {
  if (result.name !== "") return result.name
  const asking = messages.findLast((message) =>
    message.role === "assistant" && message.toolRequests.some(({ id }) => id === result.toolRequestId)
  )
  return asking?.role === "assistant"
    ? asking.toolRequests.find(({ id }) => id === result.toolRequestId)?.name ?? ""
    : ""
}

/** Lists the tool results at the end of a conversation, in order; at most twenty. */
export const latestResults = ({ messages }: ModelRequest): ReadonlyArray<TurnToolResult> => {
  const after = messages.findLastIndex(({ role }) => role !== "tool") + 1
  return messages.slice(Math.max(after, messages.length - maxResults)).flatMap((message) =>
    message.role === "tool" ? [{ name: nameOf(messages, message), content: contentText(message.content) }] : []
  )
}

/** Joins the instructions of a conversation; long ones are shortened. */
export const instructionsOf = ({ messages }: ModelRequest): string =>
  excerpt(
    messages.filter(({ role }) => role === "system").slice(0, maxInstructions.messages)
      .map((message) => excerpt(messageText(message), maxInstructions.units)).join("\n"),
    maxInstructions.units
  )

/** Derives the turn from a request. */
export const turnOf = (request: ModelRequest): ScriptedTurn => {
  const { messages } = request
  const last = messages.at(-1)
  const user = messages.findLast(({ role }) => role === "user") ?? messages.findLast(({ role }) => role === "other")
  return {
    request,
    role: last?.role ?? null,
    userText: user === undefined ? "" : messageText(user),
    toolResult: last?.role === "tool" ? { name: nameOf(messages, last), content: contentText(last.content) } : null,
    turn: messages.filter(({ role }) => role === "user").length
  }
}
