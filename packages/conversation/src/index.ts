export { Conversation } from "./Conversation.js"
export {
  AgentTools,
  conversationDefaults,
  type ConversationOptions,
  type ForeignText,
  Tenants,
  Translate
} from "./ConversationOptions.js"
export { ConversationWatch, type WatchedConversation } from "./ConversationWatch.js"
