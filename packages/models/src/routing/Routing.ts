import { ModelUnavailable } from "@trunkline/errors"
import { Stream } from "effect"
import type { Model } from "../LanguageModel.js"
import type { Content, Message } from "../Message.js"
import type { ModelRequest } from "../ModelRequest.js"

/**
 * Features of a request that not every model supports: images; tools, now or earlier in the conversation; an answer
 * that continues a begun one (`prefill`: the last message is the assistant's); a format of the text; logprobs.
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

/** Makes a check for requests without these features, for the `accepts` of a route that does not support them. */
export const withoutFeatures = (...features: ReadonlyArray<RequestFeature>) => (request: ModelRequest): boolean =>
  !features.some((feature) => has[feature](request))

const unavailable = () => new ModelUnavailable({ message: "No model is set up for this id" })

const unknownModel: Model = { generate: unavailable, stream: () => Stream.fail(unavailable()) }

/** Routes requests by model id, and unavailable ids to `otherwise`. Without it they fail with `ModelUnavailable`. */
export const routeByModel = (routes: Readonly<Record<string, Model>>, otherwise: Model = unknownModel): Model => {
  const modelOf = ({ model }: ModelRequest): Model =>
    (Object.hasOwn(routes, model) ? routes[model] : undefined) ?? otherwise
  return {
    generate: (request) => modelOf(request).generate(request),
    stream: (request) => modelOf(request).stream(request)
  }
}
