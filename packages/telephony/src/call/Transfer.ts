import type { ConnectionId } from "@trunkline/kernel"
import { type Duration, Schema } from "effect"

/** `blind`: the caller is connected at once. `warm`: the person is told first what it is about. */
export const TransferKind = Schema.Literal("blind", "warm")
export type TransferKind = typeof TransferKind.Type

/**
 * Outcome of a transfer: `transferred` when the caller and the target were connected, as far as this side was told. `cancelled`:
 * the caller hung up first. Otherwise the caller is back with the agent.
 */
export const TransferOutcome = Schema.Literal("transferred", "no_answer", "busy", "declined", "failed", "cancelled")
export type TransferOutcome = typeof TransferOutcome.Type

/** A transfer in the record of its call. Times are epoch milliseconds of business time. */
export const TransferRecord = Schema.Struct({
  /** Name of the target in the agent's definition. */
  target: Schema.String,
  /** Number in E.164 or SIP URI that was called. */
  to: Schema.String,
  kind: TransferKind,
  outcome: TransferOutcome,
  /** Why it came to nothing, without personal data; null where the outcome says all. */
  reason: Schema.NullOr(Schema.String),
  /**
   * `provider`: the provider connected both sides, and this side left. `bridge`: sound goes through this process. Null unless
   * transferred.
   */
  by: Schema.NullOr(Schema.Literal("provider", "bridge")),
  started_at: Schema.Number,
  /** Moment at which the target answered this side's call; null where it did not, or where the provider called it. */
  answered_at: Schema.NullOr(Schema.Number),
  /** Moment at which both sides were connected, or at which it came to nothing. */
  ended_at: Schema.Number,
  /** Keys that were sent after the answer; each is `*` where the definition hides them. Null for none. */
  digits: Schema.NullOr(Schema.String)
})
export type TransferRecord = typeof TransferRecord.Type

/** Address for a call to be connected with. */
export interface ReferRequest {
  /** Number in E.164, or SIP URI. */
  readonly to: string
  /** Time that the target may ring. */
  readonly ringTimeout: Duration.Duration
  /** Text of the `replaces` of another line, whose call is taken over; absent for a call of the provider's own. */
  readonly replacing?: string
}

/** Answer to a request to connect a call with an address. */
export type ReferResult =
  /** It is connected, or was left to the provider; this side has left, and hanging up does not end it. */
  | { readonly _tag: "Taken" }
  /** The provider takes no such request. The call goes on. */
  | { readonly _tag: "Unsupported" }
  /** The target was not reached. The call goes on. */
  | {
    readonly _tag: "NotTaken"
    readonly outcome: Exclude<TransferOutcome, "transferred" | "cancelled">
    readonly reason: string | null
  }

/** Words for a person, with the English name of their language. */
export interface SpokenText {
  readonly text: string
  readonly language_name: string
}

/** A transfer to be tried. */
export interface TransferRequest {
  readonly kind: TransferKind
  /** Number in E.164, or SIP URI. */
  readonly to: string
  /** Line over which the target is called; null for that of the call. */
  readonly connection_id: ConnectionId | null
  readonly ringTimeout: Duration.Duration
  /** Keys to send after the answer, where `w` waits half a second; null for none. */
  readonly extension: string | null
  /** Key by which a person takes the call; null: each answer does. Only for warm transfers. */
  readonly acceptKey: string | null
  /** Words that the person hears first; null for none. */
  readonly briefing: SpokenText | null
  /** Words that ask for the key; null without one. */
  readonly prompt: SpokenText | null
}

/** Outcome of a transfer. */
export type TransferResult = Pick<TransferRecord, "outcome" | "reason" | "by" | "answered_at">

/** Reason of a transfer on a line that has no means for it. */
export const cannotTransfer = "this line cannot transfer calls"
