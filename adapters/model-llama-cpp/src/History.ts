import { contentText, type Message, messageText, type ToolRequest } from "@trunkline/models"
import type { CallItem, HistoryItem, ModelPart } from "./LlamaModule.js"

/** Parses a JSON text; returns the text itself if it is not JSON. */
const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Matches tool results to requests: the first result after each request, keyed by the position of the request. */
const resultsOf = (messages: ReadonlyArray<Message>) => {
  const open = new Map<string, string>()
  const results = new Map<string, unknown>()
  const strays = new Set<Message>()
  for (const [position, message] of messages.entries()) {
    if (message.role === "assistant") {
      for (const [index, { id }] of message.toolRequests.entries()) open.set(id, `${position} ${index}`)
    }
    if (message.role !== "tool") continue
    const request = open.get(message.toolRequestId)
    if (request === undefined) strays.add(message)
    else results.set(request, valueOf(contentText(message.content)))
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

/** Merges consecutive turns of the model: text after a tool's result continues its turn. */
const joinTurns = (items: ReadonlyArray<HistoryItem>): ReadonlyArray<HistoryItem> => {
  const turns: Array<HistoryItem> = []
  let parts: Array<ModelPart> | undefined
  for (const item of items) {
    if (item.type === "model" && parts !== undefined) parts.push(...item.response)
    else if (item.type === "model") {
      parts = [...item.response]
      turns.push({ type: "model", response: parts })
    } else {
      parts = undefined
      turns.push(item)
    }
  }
  return turns
}

/**
 * Converts messages to the turns of chat templates. A tool's result belongs to the request it answers, and the text
 * after it to the same turn. Messages without a position in a template become user turns with their name as prefix:
 * results of tools that were not requested, and messages of other roles. Names of users are dropped.
 */
export const historyOf = (messages: ReadonlyArray<Message>): ReadonlyArray<HistoryItem> => {
  const { results, strays } = resultsOf(messages)
  const itemsOf = (message: Message, position: number): ReadonlyArray<HistoryItem> => {
    switch (message.role) {
      case "system":
        return [{ type: "system", text: message.content }]
      case "user":
        return [{ type: "user", text: messageText(message) }]
      case "assistant": {
        const { content, reasoning = "", toolRequests } = message
        return [{
          type: "model",
          response: [
            ...(reasoning === "" ? [] : [
              { type: "segment", segmentType: "thought", text: reasoning, ended: true } as const
            ]),
            ...(content === null || content === "" ? [] : [content]),
            ...toolRequests.map((tool, index) => callOf(tool, results.get(`${position} ${index}`), index === 0))
          ]
        }]
      }
      case "tool":
        return strays.has(message) ? [{ type: "user", text: `${message.name}: ${messageText(message)}` }] : []
      case "other":
        return [{ type: "user", text: `${message.as}: ${messageText(message)}` }]
    }
  }
  return joinTurns(messages.flatMap(itemsOf))
}
