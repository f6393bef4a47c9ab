export { saysGoodbye } from "./clauses/Phrases.js"
export { Conversation } from "./Conversation.js"
export {
  AgentTools,
  conversationDefaults,
  type ConversationOptions,
  type ForeignText,
  Tenants,
  Translate
} from "./state/ConversationOptions.js"
export { type ConversationTape, ConversationTapes } from "./state/ConversationTape.js"
export { type ConversationSnapshot, ConversationWatch } from "./state/ConversationWatch.js"
export { type CallRule, callRules, ruleDefaults, type RuleName, type RuleOptions } from "./state/rules/CallRules.js"
