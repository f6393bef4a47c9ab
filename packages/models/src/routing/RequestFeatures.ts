import type { Content, Message } from "../Message.js"
import type { ModelRequest } from "../ModelRequest.js"

/**
 * What not every model can take: images; tools, now or earlier in the conversation; an answer that the caller has begun
 * (`prefill`: the last message is the assistant's own); a form of the text; the likelihood of tokens.
 */
export type RequestFeature = "images" | "tools" | "prefill" | "format" | "logprobs"

const showsImage = (content: Content | null) =>
  content !== null && typeof content !== "string" && content.some(({ type }) => type === "image")

const usesTool = (message: Message) =>
  message.role === "tool" || (message.role === "assistant" && message.toolRequests.length > 0)

const has: Readonly<Record<RequestFeature, (request: ModelRequest) => boolean>> = {
  images: ({ messages }) => messages.some(({ content }) => showsImage(content)),
  tools: ({ messages, tools = [] }) => tools.length > 0 || messages.some(usesTool),
  prefill: ({ messages }) => messages.at(-1)?.role === "assistant",
  format: ({ format }) => format !== undefined && format.type !== "text",
  logprobs: ({ logprobs }) => logprobs !== undefined
}

/** Says of a request whether it has none of these features: what a route takes that cannot do them. */
export const withoutFeatures = (...features: ReadonlyArray<RequestFeature>) => (request: ModelRequest): boolean =>
  !features.some((feature) => has[feature](request))
