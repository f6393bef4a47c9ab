import type { AttemptId, PhoneNumber } from "@trunkline/kernel"
import { Context, type Duration, type Effect, Layer, Option, Schema, type Stream } from "effect"
import type { Connection } from "./Connection.js"
import type { Leg } from "./Leg.js"

/** The provider did not take the call: it refused, failed or could not be reached. */
export class DialFailed extends Schema.TaggedError<DialFailed>()("DialFailed", {
  /** `provider`: it said no. `unknown`: it may have dialled, nobody can tell. */
  certainty: Schema.Literal("provider", "unknown"),
  /** Fit for `failure_reason`: provider name, colon, reason (shapes 3.9). */
  reason: Schema.String
}) {}

/** The call was placed and did not connect (telephony outcome table, decisions 11). */
export class NotAnswered extends Schema.TaggedError<NotAnswered>()("NotAnswered", {
  status: Schema.Literal("busy", "no_answer", "failed", "provider_error"),
  reason: Schema.NullOr(Schema.String)
}) {}

/** What is dialled. The attempt id is the idempotency key of the dial (decisions 13). */
export interface DialPlan {
  readonly attempt_id: AttemptId
  readonly connection: Connection
  readonly from: PhoneNumber
  readonly to: PhoneNumber
  /** How long it may ring, in business time. */
  readonly ringTimeout: Duration.Duration
}

/** A call that the provider has taken. */
export interface PlacedCall {
  readonly provider_call_id: string
  /** Completes when the other side picks up, or will not. */
  readonly answer: Effect.Effect<Leg, NotAnswered>
  /** Stops ringing or hangs up; harmless when the call is over. */
  readonly cancel: Effect.Effect<void>
}

/** Someone calls one of our numbers. */
export interface InboundOffer {
  readonly provider_call_id: string
  readonly connection: Connection
  readonly from: PhoneNumber
  readonly to: PhoneNumber
  readonly accept: Effect.Effect<Leg, NotAnswered>
  readonly reject: (reason: string) => Effect.Effect<void>
}

/** What a provider still knows of a call that we lost sight of. */
export type CallTrace =
  | { readonly _tag: "NeverPlaced" }
  | { readonly _tag: "Over"; readonly provider_call_id: string }
  | { readonly _tag: "Untraceable" }

/** A driver of one kind of phone line. */
export interface Carrier {
  /** Its name in a connection's `provider`. */
  readonly provider: string
  /** How speech travels, such as `sip`, `websocket`, `simulated`. */
  readonly protocol: string
  /** Asks the provider to dial; completes when it has taken the call. Never dials one attempt twice. */
  readonly place: (plan: DialPlan) => Effect.Effect<PlacedCall, DialFailed>
  /** After a crash: what became of the dial of this attempt. A live call is ended before it is reported as over. */
  readonly trace: (plan: {
    readonly attempt_id: AttemptId
    /** Null while the provider had not taken the call as far as we know. */
    readonly provider_call_id: string | null
    readonly connection: Connection
  }) => Effect.Effect<CallTrace>
  /** Calls that arrive. */
  readonly offers: Stream.Stream<InboundOffer>
}

/** The drivers at hand, by provider name. */
export class Carriers extends Context.Tag("@trunkline/telephony/Carriers")<Carriers, {
  readonly find: (provider: string) => Option.Option<Carrier>
  readonly all: ReadonlyArray<Carrier>
}>() {
  /** A fixed set of drivers. */
  static readonly layerOf = (carriers: ReadonlyArray<Carrier>) =>
    Layer.succeed(Carriers, {
      all: carriers,
      find: (provider) => Option.fromNullable(carriers.find((carrier) => carrier.provider === provider))
    })
}
