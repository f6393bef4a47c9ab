export { Conversation } from "./Conversation.js"
export { ConversationWatch, type WatchedConversation } from "./ConversationWatch.js"
export {
  AgentTools,
  conversationDefaults,
  type ConversationOptions,
  type ForeignText,
  Tenants,
  Translate
} from "./ConversationOptions.js"
