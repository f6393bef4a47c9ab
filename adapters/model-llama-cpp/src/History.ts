import { type Message, textOf, type ToolRequest, wordsOf } from "@trunkline/models"
import type { CallItem, HistoryItem, ModelPart } from "./LlamaModule.js"

/** The value of a JSON text, or the text itself where it is none. */
const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The results of tools: of each request the first that comes after it, by the place of the message that asks. */
const resultsOf = (messages: ReadonlyArray<Message>) => {
  const open = new Map<string, string>()
  const results = new Map<string, unknown>()
  const strays = new Set<Message>()
  for (const [place, message] of messages.entries()) {
    if (message.role === "assistant") {
      for (const [index, { id }] of message.toolRequests.entries()) open.set(id, `${place} ${index}`)
    }
    if (message.role !== "tool") continue
    const asked = open.get(message.toolRequestId)
    if (asked === undefined) strays.add(message)
    else results.set(asked, valueOf(wordsOf(message.content)))
    open.delete(message.toolRequestId)
  }
  return { results, strays }
}

const callOf = ({ arguments: text, name }: ToolRequest, result: unknown, startsNewChunk: boolean): CallItem => ({
  type: "functionCall",
  name,
  params: valueOf(text),
  result,
  startsNewChunk
})

/** Turns of which no two of the model's follow each other: what it says after a tool's result goes on with its turn. */
const joined = (items: ReadonlyArray<HistoryItem>): ReadonlyArray<HistoryItem> => {
  const turns: Array<HistoryItem> = []
  let said: Array<ModelPart> | undefined
  for (const item of items) {
    if (item.type === "model" && said !== undefined) said.push(...item.response)
    else if (item.type === "model") {
      said = [...item.response]
      turns.push({ type: "model", response: said })
    } else {
      said = undefined
      turns.push(item)
    }
  }
  return turns
}

/**
 * Messages as the turns that chat templates know. A tool's result belongs to the request that it answers, and the words
 * after it to the same turn. What has no place in a template is told by the user: the result of a tool that was not asked
 * for, and what comes under a role of its own, both after their name. Names of users are left out.
 */
export const historyOf = (messages: ReadonlyArray<Message>): ReadonlyArray<HistoryItem> => {
  const { results, strays } = resultsOf(messages)
  const itemsOf = (message: Message, place: number): ReadonlyArray<HistoryItem> => {
    switch (message.role) {
      case "system":
        return [{ type: "system", text: message.content }]
      case "user":
        return [{ type: "user", text: textOf(message) }]
      case "assistant": {
        const { content, reasoning = "", toolRequests } = message
        return [{
          type: "model",
          response: [
            ...(reasoning === "" ? [] : [
              { type: "segment", segmentType: "thought", text: reasoning, ended: true } as const
            ]),
            ...(content === null || content === "" ? [] : [content]),
            ...toolRequests.map((tool, index) => callOf(tool, results.get(`${place} ${index}`), index === 0))
          ]
        }]
      }
      case "tool":
        return strays.has(message) ? [{ type: "user", text: `${message.name}: ${textOf(message)}` }] : []
      case "other":
        return [{ type: "user", text: `${message.as}: ${textOf(message)}` }]
    }
  }
  return joined(messages.flatMap(itemsOf))
}
