import type { Message, ToolRequest } from "@trunkline/models"

/** The result of a tool as a message to the model. */
export const toolMessage = (request: ToolRequest, content: string): Message => ({
  role: "tool",
  toolRequestId: request.id,
  name: request.name,
  content
})
