import type { Delta, Message } from "@trunkline/models"

/** Settings of a program with a line of words. */
export interface RelaySettings {
  readonly data: string
  /** URL of PostgreSQL; empty for SQLite. */
  readonly database: string
  /** Address at which the provider reaches the program. */
  readonly publicUrl: string
  readonly apiUrl: string
  /** File with a line for each use of the tool. */
  readonly bookings: string
  readonly options: Readonly<Record<string, unknown>>
}

/** Sentences of the agent, in order. */
export const sentences = [
  "Hello, how can I help you?",
  "I will look for a table near the window now.",
  "It takes a moment, please stay on the line.",
  "Your table is booked for eight in the evening.",
  "Do you need anything else from us today?",
  "We also have a garden behind the house.",
  "Shall I tell you how to get here?",
  "Take the road along the river to the bridge.",
  "Was this all?",
  "Goodbye then, and thank you for calling us."
] as const

/** Said in place of the fourth sentence when nobody knows if the table was booked. */
export const unknownSentence = "I could not find out if it is booked."

/** Said into a silence. */
export const silencePrompt = "Are you still there?"

/** Answers of the caller to the questions of the agent, in order. */
export const replies = ["Book a table", "No more", "Tell me", "That is all"]

const turn = (asked: string): { readonly clauses: ReadonlyArray<string>; readonly tool?: string } => {
  switch (asked) {
    case "Book a table":
      return { clauses: sentences.slice(1, 3), tool: "book" }
    case "booked":
      return { clauses: sentences.slice(3, 5) }
    case "No more":
      return { clauses: sentences.slice(5, 7) }
    case "Tell me":
      return { clauses: sentences.slice(7, 9) }
    case "That is all":
      return { clauses: sentences.slice(9), tool: "end_call" }
    default:
      return asked.startsWith("It is not known")
        ? { clauses: [unknownSentence, sentences[4]] }
        : { clauses: [] }
  }
}

const textOf = (message: Message | undefined): string => typeof message?.content === "string" ? message.content : ""

/**
 * The agent's answer to the last words or result. Words that were answered before are said again by a caller who has not heard the
 * question after them: it was stored, and not sent, when its process was killed. Nothing but the question is said again.
 */
const replyTo = (messages: ReadonlyArray<Message>): ReturnType<typeof turn> => {
  const asked = messages.filter(({ role }) => role === "user" || role === "tool")
  const fresh = asked.filter((message, index) => asked.findIndex((one) => textOf(one) === textOf(message)) === index)
  const { clauses, tool } = turn(textOf(fresh.at(-1)))
  if (asked.at(-1) === fresh.at(-1)) return tool === undefined ? { clauses } : { clauses, tool }
  return { clauses: clauses.slice(-1) }
}

/** Pieces of the agent's answer; of one that was cut off, the rest. */
export const answerTo = (messages: ReadonlyArray<Message>): ReadonlyArray<string | Delta> => {
  const isRest = messages.length > 1 && messages.at(-1)?.role === "system"
  const before = isRest ? messages.slice(0, -1) : messages
  const said = isRest ? textOf(before.at(-1)) : ""
  const { clauses, tool } = replyTo(before)
  const request: ReadonlyArray<Delta> = tool === undefined ? [] : [
    { _tag: "ToolStart", index: 0, id: "call-1", name: tool },
    { _tag: "ToolArgs", index: 0, text: "{}" }
  ]
  return [
    ...clauses.filter((clause) => !said.includes(clause)).flatMap((clause) => clause.split(/(?<= )/).concat(" ")),
    ...request,
    { _tag: "Finish", reason: "stop" }
  ]
}
