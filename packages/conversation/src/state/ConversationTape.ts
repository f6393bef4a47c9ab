import type { CallReport, Heard } from "@trunkline/telephony"
import { Context, type Effect } from "effect"
import type { CallPlan, FlowEvent } from "./CallState.js"

/** Tape of one conversation: told, in order, of all that goes into it. */
export interface ConversationTape {
  /** Takes an event with its moment, in epoch milliseconds of business time. Entries of secret digits come without them. */
  readonly event: (event: FlowEvent, at: number) => void
  /** Takes words and keys of a call that has ended, which nobody has listened to. */
  readonly lastWords: (inputs: ReadonlyArray<Heard>, at: number) => void
  /** Takes the report of the conversation; null for one that was cut. The call waits for it. */
  readonly end: (report: CallReport | null) => Effect.Effect<void>
}

/** Makes the tape of each conversation from its plan; null for one that is not kept. None by default. */
export class ConversationTapes extends Context.Reference<ConversationTapes>()(
  "@trunkline/conversation/ConversationTapes",
  { defaultValue: (): ConversationTapes.Service => ({ tapeOf: () => null }) }
) {}

export declare namespace ConversationTapes {
  /** Service of the reference. */
  export interface Service {
    readonly tapeOf: (plan: CallPlan) => ConversationTape | null
  }
}
