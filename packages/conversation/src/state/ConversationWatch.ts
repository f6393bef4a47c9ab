import type { Variables } from "@trunkline/kernel"
import type { ModelInput } from "@trunkline/telephony"
import { Context } from "effect"
import type { SpokenTurn } from "./CallState.js"

/** State of a conversation after a step of it. */
export interface WatchedConversation {
  /** Turns that were said or heard so far, and the answers of tools. */
  readonly turns: ReadonlyArray<Omit<SpokenTurn, "timings">>
  /** Variables of the conversation, given and set. */
  readonly variables: Variables
  /** Values that the agent has found out. */
  readonly outputs: Variables
  /** Step of the script that waits for a reply; null when none does, and without a script. */
  readonly step: string | null
  /** Requests to the model so far, in order. */
  readonly inputs: ReadonlyArray<ModelInput>
}

/** Watcher of the conversations of an effect: called after each step, so that it must be quick. None by default. */
export class ConversationWatch
  extends Context.Reference<ConversationWatch>()("@trunkline/conversation/ConversationWatch", {
    defaultValue: (): ((seenConversation: WatchedConversation) => void) | null => null
  })
{}
