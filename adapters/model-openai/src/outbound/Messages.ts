import { type Content, type ContentPart, type Message, type ToolRequest, wordsOf } from "@trunkline/models"
import type { Capabilities } from "../Capabilities.js"

const partOf = (part: ContentPart) =>
  part.type === "text"
    ? part
    : {
      type: "image_url",
      image_url: {
        url: `data:${part.mediaType};base64,${part.base64}`,
        ...(part.detail !== undefined && { detail: part.detail })
      }
    }

/** A model that sees no images gets its text in one: templates of such models often know nothing else. */
const contentOf = (content: Content, { images }: Capabilities) =>
  typeof content === "string" ? content : images ? content.map(partOf) : wordsOf(content)

const callOf = ({ arguments: text, id, name }: ToolRequest) => ({
  id,
  type: "function",
  function: { name, arguments: text }
})

const named = (name: string | undefined) => name === undefined ? {} : { name }

const assistantOf = (message: Message & { readonly role: "assistant" }, capabilities: Capabilities) => {
  const { content, name, reasoning = "", toolRequests } = message
  const { forwardReasoning, reasoningIn } = capabilities
  const isForwarded = forwardReasoning && reasoning !== ""
  const inField = reasoningIn === "reasoning" || reasoningIn === "reasoning_content"
  const thought = isForwarded && !inField ? `<think>\n${reasoning}\n</think>\n\n` : ""
  const calls = toolRequests.length > 0
  return {
    role: "assistant",
    content: calls && content === null && thought === "" ? null : thought + (content ?? ""),
    ...named(name),
    ...(isForwarded && inField && { [reasoningIn]: reasoning }),
    ...(calls && { tool_calls: toolRequests.map(callOf) })
  }
}

/** A message in the words of this API. Tool messages go without the tool's name, which strict servers refuse. */
export const outboundMessage = (message: Message, capabilities: Capabilities) => {
  switch (message.role) {
    case "system":
      return { role: capabilities.systemRole, content: message.content }
    case "user":
      return { role: "user", content: contentOf(message.content, capabilities), ...named(message.name) }
    case "assistant":
      return assistantOf(message, capabilities)
    case "tool":
      return {
        role: "tool",
        tool_call_id: message.toolRequestId,
        content: contentOf(message.content, capabilities)
      }
    case "other":
      return { role: message.as, content: contentOf(message.content, capabilities), ...named(message.name) }
  }
}
