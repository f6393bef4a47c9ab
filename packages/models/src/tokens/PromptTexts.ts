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

const contentOf = (message: Message): Content => message.content ?? ""

const imagesIn = (content: Content) =>
  typeof content === "string" ? 0 : content.filter(({ type }) => type === "image").length

const textsIn = (content: Content) =>
  typeof content === "string" ? [content] : content.flatMap((part) => part.type === "text" ? [part.text] : [])

const namesIn = (message: Message) => [
  "name" in message ? message.name ?? "" : "",
  message.role === "other" ? message.as : "",
  message.role === "tool" ? message.toolRequestId : ""
]

const requestsIn = (message: Message) =>
  message.role === "assistant"
    ? [...message.toolRequests.flatMap(({ arguments: text, id, name }) => [id, name, text]), message.reasoning ?? ""]
    : []

/**
 * Collects everything in a request that counts as input: texts, names, tools, the schema of the answer, extra fields,
 * and images at a fixed price.
 */
export const promptTexts = (
  { extra, format, messages, tools = [] }: ModelRequest,
  { imageTokens }: Pick<ModelFacts, "imageTokens">
): PromptTexts => {
  const images = messages.reduce((sum, message) => sum + imagesIn(contentOf(message)), 0)
  return {
    tokens: messages.length * perMessage + images * imageTokens,
    texts: [
      ...messages.flatMap((message) => [...namesIn(message), ...textsIn(contentOf(message)), ...requestsIn(message)]),
      ...tools.map(({ description = "", name, parameters = {} }) =>
        `${name} ${description} ${JSON.stringify(parameters)}`
      ),
      ...(format?.type === "schema" ? [JSON.stringify(format.schema)] : []),
      ...(extra === undefined ? [] : [JSON.stringify(extra)])
    ].filter((text) => text !== "")
  }
}
