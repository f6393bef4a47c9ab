import { Schema } from "effect"
import { Variables } from "./CommonSchemas.js"

/**
 * Fields of a conversation that all reports of its call have under one name: stored attempts, webhooks, ended calls, facts
 * and records. Reports leave out those that the specification gives them under another name, or not at all. A later field is
 * `Schema.optionalWith(…, { exact: true })`, since stored conversations lack it.
 */
export const conversationFields = {
  language_name: Schema.NullOr(Schema.String),
  /** Variables at the end of the call. */
  final_agent_variables: Variables,
  /** Variables that the agent collected during the call. */
  output_agent_variables: Variables
}

/** The same fields in reports of calls: always present, and null without a conversation. */
export const nullableConversationFields = {
  language_name: Schema.NullOr(Schema.String),
  final_agent_variables: Schema.NullOr(Variables),
  /** Variables that the agent collected during the call. */
  output_agent_variables: Schema.NullOr(Variables)
}

/** Their values without a conversation. */
export const noConversation = { language_name: null, final_agent_variables: null, output_agent_variables: null }
