import type { Content, Message } from "../Message.js"
import type { ModelFacts } from "../ModelCatalog.js"
import type { ModelRequest } from "../ModelRequest.js"

/** Tokens per message apart from its text: its role and delimiters. */
const perMessage = 4

/** Input of a request: texts to count, and tokens that need no counting. */
export interface PromptTexts {
  readonly texts: ReadonlyArray<string>
  readonly tokens: number
}

/** Adds the texts of content to a list; returns the number of its images. */
const addContent = (texts: Array<string>, content: Content): number => {
  if (typeof content === "string") {
    texts.push(content)
    return 0
  }
  let images = 0
  for (const part of content) {
    if (part.type === "image") images += 1
    else if (part.type === "text") texts.push(part.text)
  }
  return images
}

/** Adds the texts of a message to a list; returns the number of its images. */
const addMessage = (texts: Array<string>, message: Message): number => {
  if ("name" in message) texts.push(message.name ?? "")
  if (message.role === "other") texts.push(message.as)
  if (message.role === "tool") texts.push(message.toolRequestId)
  const images = addContent(texts, message.content ?? "")
  if (message.role === "assistant") {
    for (const { arguments: text, id, name } of message.toolRequests) texts.push(id, name, text)
    texts.push(message.reasoning ?? "")
  }
  return images
}

/**
 * Collects everything in a request that counts as input: texts, names, tools, the schema of the answer, extra fields,
 * and images at a fixed price.
 */
export const promptTexts = (
  { extra, format, messages, tools = [] }: ModelRequest,
  { imageTokens }: Pick<ModelFacts, "imageTokens">
): PromptTexts => {
  const texts: Array<string> = []
  let images = 0
  for (const message of messages) images += addMessage(texts, message)
  for (const { description = "", name, parameters = {} } of tools) {
    texts.push(`${name} ${description} ${JSON.stringify(parameters)}`)
  }
  if (format?.type === "schema") texts.push(JSON.stringify(format.schema))
  if (extra !== undefined) texts.push(JSON.stringify(extra))
  return {
    tokens: messages.length * perMessage + images * imageTokens,
    texts: texts.filter((text) => text !== "")
  }
}
