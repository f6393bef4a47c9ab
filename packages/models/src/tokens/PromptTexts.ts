import type { ModelFacts } from "../catalog/ModelFacts.js"
import type { Content, Message } from "../Message.js"
import type { ModelRequest } from "../ModelRequest.js"

/** What every message takes beside its words: its role and where it begins and ends. */
const perMessage = 4

/** What of a request a model reads: texts to be counted, and tokens that need no counting. */
export interface PromptTexts {
  readonly texts: ReadonlyArray<string>
  readonly tokens: number
}

const contentOf = (message: Message): Content => message.content ?? ""

const imagesIn = (content: Content) =>
  typeof content === "string" ? 0 : content.filter(({ type }) => type === "image").length

const textsIn = (content: Content) =>
  typeof content === "string" ? [content] : content.flatMap((part) => part.type === "text" ? [part.text] : [])

const requestsIn = (message: Message) =>
  message.role === "assistant"
    ? [...message.toolRequests.flatMap(({ arguments: text, name }) => [name, text]), message.reasoning ?? ""]
    : []

/** Everything in a request that counts as input: words, tools, the schema of the answer, and images at a fixed price. */
export const promptTexts = (
  { format, messages, tools = [] }: ModelRequest,
  { imageTokens }: Pick<ModelFacts, "imageTokens">
): PromptTexts => {
  const images = messages.reduce((sum, message) => sum + imagesIn(contentOf(message)), 0)
  return {
    tokens: messages.length * perMessage + images * imageTokens,
    texts: [
      ...messages.flatMap((message) => [...textsIn(contentOf(message)), ...requestsIn(message)]),
      ...tools.map(({ description = "", name, parameters = {} }) =>
        `${name} ${description} ${JSON.stringify(parameters)}`
      ),
      ...(format?.type === "schema" ? [JSON.stringify(format.schema)] : [])
    ].filter((text) => text !== "")
  }
}
