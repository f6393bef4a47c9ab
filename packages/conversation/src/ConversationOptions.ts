import { conversationModel } from "@trunkline/models"
import { Duration } from "effect"

/** How conversations are held. */
export interface ConversationOptions {
  /** The model of agents that name none. */
  readonly model: string
  /** How long the caller may be silent before the agent asks; business time. */
  readonly silence: Duration.Duration
  /** How often the agent asks into a silence before it says goodbye. */
  readonly reprompts: number
  /** Tools that the model may ask for between two utterances of the caller. */
  readonly toolCalls: number
  /** How long one answer of the model, or one tool, may take; technical time. */
  readonly patience: Duration.Duration
}

/** Eight seconds of silence, two reprompts, eight tools a turn, twelve seconds of patience. */
export const conversationDefaults: ConversationOptions = {
  model: conversationModel,
  silence: Duration.seconds(8),
  reprompts: 2,
  toolCalls: 8,
  patience: Duration.seconds(12)
}
