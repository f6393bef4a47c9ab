import type { Variables } from "@trunkline/kernel"
import type { ModelInput } from "@trunkline/telephony"
import { Context } from "effect"
import type { SpokenTurn } from "./CallState.js"

/** Snapshot of a conversation after an event. */
export interface ConversationSnapshot {
  /** Spoken turns so far, and the results of tools. */
  readonly turns: ReadonlyArray<Omit<SpokenTurn, "timings">>
  /** Variables of the conversation, at its beginning or changed since. */
  readonly variables: Variables
  /** Values that the agent has collected. */
  readonly outputs: Variables
  /** Step of the script with a reply to come; null without one. */
  readonly step: string | null
  /** Requests to the model so far, in order. */
  readonly inputs: ReadonlyArray<ModelInput>
}

/** Observer of the conversations in an effect. It is called after each event, and must return quickly. None by default. */
export class ConversationWatch
  extends Context.Reference<ConversationWatch>()("@trunkline/conversation/ConversationWatch", {
    defaultValue: (): ((seenConversation: ConversationSnapshot) => void) | null => null
  })
{}
