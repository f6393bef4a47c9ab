import type { PlainModel } from "trunkline"

type Request = Parameters<NonNullable<PlainModel["generate"]>>[0]
type Message = Request["messages"][number]

/** A line of a prompt: words to hear, and what to answer. */
const rule = /^- "(.*?)": (.*)$/gmu

/** A tool in an answer, such as `(book_table {"table": 4})`. */
const toolUse = /\((\w+)(?: (\{.*\}))?\)/u

const textOf = (message: Message | undefined): string => typeof message?.content === "string" ? message.content : ""

/** Puts what was heard into an answer. */
const fill = (answer: string, match: RegExpExecArray): string =>
  answer.replaceAll(/\$(\d)/gu, (_, index) => match[Number(index)] ?? "").replaceAll("{heard}", match.input)

/**
 * A model for this example that needs no network: it does what the rules of its prompt say, so that a change of the prompt changes
 * what it does, as with a real one. Put `openai(...)` in its place for your own agents.
 */
export const promptModel: PlainModel = {
  generate: async ({ messages }) => {
    const [system] = messages
    const heard = textOf(messages.at(-1))
    for (const [, words = "", answer = ""] of textOf(system).matchAll(rule)) {
      const match = new RegExp(words, "iu").exec(heard)
      if (match === null) continue
      const filled = fill(answer, match)
      const [use, name, input = "{}"] = toolUse.exec(filled) ?? []
      if (use === undefined || name === undefined) return filled
      const id = String(messages.length)
      return { text: filled.replace(use, "").trim(), toolRequests: [{ id, name, arguments: input }] }
    }
    return "Could you say that again, please?"
  }
}
