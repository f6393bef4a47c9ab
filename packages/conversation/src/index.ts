export * from "./AgentTools.js"
export * from "./Conversation.js"
export * from "./ConversationOptions.js"
export * from "./Translate.js"
