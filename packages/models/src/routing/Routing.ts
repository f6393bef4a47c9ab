import { ModelUnavailable } from "@trunkline/errors"
import { Stream } from "effect"
import type { Model } from "../LanguageModel.js"
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

const unknown = () => new ModelUnavailable({ message: "No model is set up for this id" })

const nobody: Model = { generate: unknown, stream: () => Stream.fail(unknown()) }

/** Asks the model that a request names, `otherwise` for ids without one. Without that they are `ModelUnavailable`. */
export const routeByModel = (routes: Readonly<Record<string, Model>>, otherwise: Model = nobody): Model => {
  const modelOf = ({ model }: ModelRequest): Model =>
    (Object.hasOwn(routes, model) ? routes[model] : undefined) ?? otherwise
  return {
    generate: (request) => modelOf(request).generate(request),
    stream: (request) => modelOf(request).stream(request)
  }
}
