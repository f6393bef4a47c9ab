import { Issue } from "@trunkline/errors"
import type { AttemptId, PhoneNumber } from "@trunkline/kernel"
import { Context, Duration, type Effect, Layer, Option, Schema, type Stream } from "effect"
import type { Leg } from "../calls/Leg.js"
import type { CallEvent } from "../events/CallEventStore.js"
import type { Connection } from "./Connection.js"

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

/** The provider could not be asked now; whoever asks does so again later. */
export class LookupFailed extends Schema.TaggedError<LookupFailed>()("LookupFailed", {
  /** Fit for logs: never a number, a key or an address. */
  reason: Schema.String
}) {}

/** What came in is not from the provider, or cannot be read. */
export class EventRefused extends Schema.TaggedError<EventRefused>()("EventRefused", {
  /** `signature`: not proven to be the provider's. `malformed`: it is, and makes no sense. */
  why: Schema.Literal("signature", "malformed"),
  /** What makes no sense and where, as far as the driver can tell; fit for an answer to the provider. */
  issues: Schema.optionalWith(Schema.Array(Issue), { default: () => [] })
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
  /** As its carrier is. */
  readonly prompt?: boolean
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

/** Which call is looked for. */
export interface CallQuery {
  readonly attempt_id: AttemptId
  /** Null while the provider had not taken the call as far as we know. */
  readonly provider_call_id: string | null
  readonly connection: Connection
}

/** What a provider says of the call of an attempt. */
export type CallSight =
  /** It knows of no such call. */
  | { readonly _tag: "NotFound" }
  /** It is going on; once it is connected, `call.answer` completes at once. */
  | { readonly _tag: "Live"; readonly call: PlacedCall; readonly connected: boolean }
  /** It is over; `result` is null when it was connected, or when the provider does not say. */
  | { readonly _tag: "Over"; readonly provider_call_id: string; readonly result: NotAnswered | null }

/** A call that is going on, as a provider lists it. */
export interface ListedCall {
  readonly provider_call_id: string
  /** Null for calls that no attempt made. */
  readonly attempt_id: AttemptId | null
  /** Since when, in epoch milliseconds of business time. */
  readonly since: number
}

/** What a provider pushed to us over HTTP. */
export interface EventRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly connection: Connection
}

/** A driver of one kind of phone line. Every driver must pass `carrierLaws` of `@trunkline/telephony/testing`. */
export interface Carrier {
  /** Its name in a connection's `provider`. */
  readonly provider: string
  /** How speech travels, such as `sip`, `websocket`, `simulated`. */
  readonly protocol: string
  /**
   * Whether it keeps nobody waiting and to every limit by itself, as one without an outside does: then nobody watches
   * over its dials, its ringing and its cancels. Default false.
   */
  readonly prompt?: boolean
  /** What keeps an attempt from being dialled twice on this connection. */
  readonly dedupe: (connection: Connection) => Dedupe
  /**
   * Asks the provider to dial; completes when it has taken the call. With `Key`, the same attempt again is answered with
   * the same call, also when that is over by now.
   */
  readonly place: (plan: DialPlan) => Effect.Effect<PlacedCall, DialFailed>
  /**
   * What became of the call of an attempt. By its `provider_call_id` every driver finds a call; by the attempt alone
   * those with `Lookup`, or a `Key` with `settle`.
   */
  readonly look: (sought: CallQuery) => Effect.Effect<CallSight, LookupFailed>
  /** The calls going on, where the provider lists them: what nobody here carries is ended. */
  readonly live?: (connection: Connection) => Effect.Effect<ReadonlyArray<ListedCall>, LookupFailed>
  /** Ends a call of which only the provider's id is known; harmless when it is over. */
  readonly end?: (connection: Connection, provider_call_id: string) => Effect.Effect<void>
  /** Verifies and reads what the provider pushes. */
  readonly readEvents?: (request: EventRequest) => Effect.Effect<ReadonlyArray<CallEvent>, EventRefused>
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

/** What a provider offers so that one attempt is dialled once, even by someone who lost sight of it (decisions 10). */
export type Dedupe =
  /**
   * Placing the same attempt again within `ttl` of the first time is answered with the same call. `settle` is there when
   * calls can be found by their attempts too, as with `Lookup`; it is what a key that is too old falls back on.
   */
  | { readonly _tag: "Key"; readonly ttl: Duration.Duration; readonly settle?: Duration.Duration }
  /** Calls can be found by their attempts; all that were taken are visible once `settle` has passed since the request. */
  | { readonly _tag: "Lookup"; readonly settle: Duration.Duration }
  /** Nothing: whether a lost request was dialled cannot be known. */
  | { readonly _tag: "None" }

/** How long a provider may need until a call that it has taken can be found, unless it says otherwise (reliability 8). */
export const DEFAULT_SETTLE = Duration.seconds(60)
