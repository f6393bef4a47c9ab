import { type Message, messageText } from "@trunkline/models"

/** The conversation as a session knows it. */
export interface SessionHistory {
  /** Messages in order, to begin another session with. */
  readonly messages: ReadonlyArray<Message>
  /** Notes a message that the session has heard, said or been told. Returns how to change the text of one that it says. */
  readonly note: (message: Message) => (text: string) => void
  /**
   * Messages that the session does not know yet, which from now on it knows; null when the conversation is not one that goes on
   * from what it knows, such as after a hand-over with a part of the history.
   */
  readonly takeMissing: (messages: ReadonlyArray<Message>) => ReadonlyArray<Message> | null
}

/**
 * Marks of a message by which two histories are compared: words of the caller, calls and results of tools, and notes. The agent's
 * words are none, since a conversation joins them with those that it says itself.
 */
const marksOf = (message: Message): ReadonlyArray<string> => {
  switch (message.role) {
    case "assistant":
      return message.toolRequests.map(({ id }) => `call ${id}`)
    case "tool":
      return [`result ${message.toolRequestId}`]
    case "system":
      return [`note ${message.content}`]
    default:
      return messageText(message).split(/\s+/u).filter((word) => word !== "").map((word) => `word ${word}`)
  }
}

/** The words of a message of the caller without the first ones. */
const withoutFirst = (message: Message, count: number): Message =>
  message.role === "user" && count > 0
    ? { ...message, content: messageText(message).trim().split(/\s+/u).slice(count).join(" ") }
    : message

/** Makes the history of a session that begins. */
export const makeSessionHistory = (): SessionHistory => {
  let entries: Array<Message> = []

  return {
    get messages() {
      return entries
    },
    note: (message) => {
      let entry = message
      entries.push(entry)
      return (text) => {
        const index = entries.indexOf(entry)
        if (entry.role !== "assistant" || index < 0) return
        entry = { ...entry, content: text === "" ? null : text }
        entries[index] = entry
      }
    },
    takeMissing: (messages) => {
      const knownMarks = entries.flatMap(marksOf)
      const marks = messages.flatMap(marksOf)
      const goesOn = knownMarks.every((mark, index) => marks[index] === mark)
      let at = 0
      const rest = messages.flatMap((message): ReadonlyArray<Message> => {
        const from = at
        at += marksOf(message).length
        return at > Math.max(from, knownMarks.length) ? [withoutFirst(message, knownMarks.length - from)] : []
      })
      entries = goesOn ? [...entries, ...rest] : [...messages]
      return goesOn ? rest : null
    }
  }
}
