import type { AttemptId, PhoneNumber } from "@trunkline/kernel"
import { Context, Duration, type Effect, Layer, Option, Schema, type Stream } from "effect"
import type { AnnouncementEar } from "../announcements/AnnouncementEar.js"
import type { AudioLine } from "../call/AudioLine.js"
import type { Leg } from "../call/Leg.js"
import type { CallEvent } from "../events/CallEventStore.js"
import type { Connection } from "./Connection.js"
import type { EventRefused, EventRequest, EventsRead } from "./EventRequest.js"
import type { OpenFrames, SocketRequest } from "./FrameSocket.js"

/** The provider did not accept a call: it refused, failed or could not be reached. */
export class DialFailed extends Schema.TaggedError<DialFailed>()("DialFailed", {
  /**
   * `provider`: it refused. `unknown`: it may have dialled. `none`: nothing was sent, since this side could not, so that the
   * dial is no attempt: it is withdrawn, and the line rests for `retryAfter` or 5 seconds.
   */
  certainty: Schema.Literal("provider", "unknown", "none"),
  /** Outcome that a provider tells at once; absent: it refused or failed itself. */
  status: Schema.optional(Schema.Literal("busy", "no_answer", "failed")),
  /** Text for `failure_reason`: provider name, colon, reason. */
  reason: Schema.String,
  /** Seconds for which the provider asks not to be called; the line rests so long. Absent: it does not ask. */
  retryAfter: Schema.optional(Schema.Number)
}) {}

/** The call was placed and did not connect. */
export class NotAnswered extends Schema.TaggedError<NotAnswered>()("NotAnswered", {
  status: Schema.Literal("busy", "no_answer", "failed", "provider_error"),
  reason: Schema.NullOr(Schema.String),
  /** Seconds for which the provider asks not to be called; the line rests so long. Absent: it does not ask. */
  retryAfter: Schema.optional(Schema.Number)
}) {}

/** A lookup at the provider failed; it can be retried later. */
export class LookupFailed extends Schema.TaggedError<LookupFailed>()("LookupFailed", {
  /** Safe for logs: contains no phone number, key or address. */
  reason: Schema.String
}) {}

/** A call to dial. The attempt id is the idempotency key. */
export interface DialPlan {
  readonly attempt_id: AttemptId
  readonly connection: Connection
  readonly from: PhoneNumber
  readonly to: PhoneNumber
  /** SIP URI to call in place of `to`; only for carriers that have `dialsAddresses`. Absent: the number is called. */
  readonly address?: string
  /** Maximum ringing time, in business time. */
  readonly ringTimeout: Duration.Duration
  /**
   * Longest duration of the call once it is answered. Carriers whose calls outlive this process tell it to the provider.
   * Absent: there is none.
   */
  readonly maxDuration?: Duration.Duration
  /** Completes when the request may leave; only for carriers that take turns. Absent: at once. */
  readonly turn?: Effect.Effect<void>
  /** Hears the words of an announcement before the answer, for carriers with its sound. Absent: words are not heard. */
  readonly wordsOf?: AnnouncementEar.Service["wordsOf"]
}

/** A call that the provider has accepted. */
export interface PlacedCall {
  readonly provider_call_id: string
  /** Copied from the carrier. */
  readonly immediate?: boolean
  /** Text by which `release` of a later process ends the call while it rings; absent where the carrier has no `release`. */
  readonly signalling?: string
  /** Completes when the call is answered, with words or with sound, or fails when it will not be. */
  readonly answer: Effect.Effect<Leg | AudioLine, NotAnswered>
  /**
   * The leg of a call whose process has stopped, once the provider has connected it to this one; fails when the call has ended
   * or was not connected again in time. Absent where calls end with their process.
   */
  readonly returned?: Effect.Effect<Leg, NotAnswered>
  /** Stops ringing or hangs up. Idempotent. */
  readonly cancel: Effect.Effect<void>
}

/** An incoming call to one of our numbers. */
export interface InboundOffer {
  readonly provider_call_id: string
  readonly connection: Connection
  readonly from: PhoneNumber
  readonly to: PhoneNumber
  readonly accept: Effect.Effect<Leg | AudioLine, NotAnswered>
  readonly reject: (reason: string) => Effect.Effect<void>
  /** Told the attempt of the call before it is accepted or rejected; a call to a number without a deployment has none. */
  readonly onRecord?: (attempt: AttemptId) => Effect.Effect<void>
}

/** Identifies a call for a lookup. */
export interface CallLookup {
  readonly attempt_id: AttemptId
  /** Null when the provider is not known to have accepted the call. */
  readonly provider_call_id: string | null
  readonly connection: Connection
  /** True for a call that came in. Absent: false. */
  readonly isInbound?: boolean
  /** Numbers of the call, by which a provider that tells its ids late can be asked. Absent: unknown. */
  readonly numbers?: CallNumbers
}

/** Numbers of a call, and the moment since which it can exist. */
export interface CallNumbers {
  readonly ours: PhoneNumber
  readonly theirs: PhoneNumber
  /** Epoch milliseconds. */
  readonly since: number
}

/** State of a call as reported by its provider. */
export type CallStatus =
  /** No such call. */
  | { readonly _tag: "NotFound" }
  /** The call is in progress. Once it is connected, `call.answer` completes immediately. */
  | { readonly _tag: "Live"; readonly call: PlacedCall; readonly connected: boolean }
  /** The call has ended. `result` is null when it was connected or when the provider does not report a result. */
  | { readonly _tag: "Over"; readonly provider_call_id: string; readonly result: NotAnswered | null }

/** A call in progress, as listed by a provider. */
export interface ListedCall {
  readonly provider_call_id: string
  /** Null for calls that belong to no attempt. */
  readonly attempt_id: AttemptId | null
  /** Start of the call, in epoch milliseconds of business time. */
  readonly since: number
}

/** State of a line as its carrier knows it in this process. Times are epoch milliseconds. */
export interface CarrierLineState {
  /** Null for lines that do not register. */
  readonly registration: {
    readonly status: "registering" | "registered" | "failed"
    readonly registered_until: number | null
  } | null
  /** True when the provider answered the last time that it was asked, false when it did not; null where it is not asked. */
  readonly reachable: boolean | null
  /** The last time that the provider could not be reached or refused the registration; without secrets and addresses. */
  readonly last_failure: { readonly at: number; readonly reason: string } | null
  /** Milliseconds by which sound leaves too late; null without sound in this process. */
  readonly lateness_millis: number | null
}

/** State of a line of which its carrier knows nothing. */
export const unknownLineState: CarrierLineState = {
  registration: null,
  reachable: null,
  last_failure: null,
  lateness_millis: null
}

/**
 * Driver for one telephony provider. Every implementation must pass `carrierLaws` of `@trunkline/telephony/testing`;
 * see docs/carriers.md.
 */
export interface Carrier {
  /** Name that connections refer to in `provider`. */
  readonly provider: string
  /** Media protocol, such as `sip`, `websocket` or `simulated`. */
  readonly protocol: string
  /**
   * True when no operation can hang or exceed its limits, as without a network. The engine then enforces no timeouts on
   * dials, ringing and cancellation. Default false.
   */
  readonly immediate?: boolean
  /**
   * True when calls end with the process that carries them, as where their sound is in it: a call that the carrier does not
   * know is over, and need not be looked for again. Default false.
   */
  readonly inProcess?: boolean
  /**
   * True when `place` runs the `turn` of its plan right before it sends the request, after all that may take time. Otherwise
   * the engine runs it before `place`. Default false.
   */
  readonly takesTurns?: boolean
  /** True when `place` calls the `address` of a plan. Default false. */
  readonly dialsAddresses?: boolean
  /** Mechanism that prevents an attempt from being dialled twice on this connection (docs/decisions.md, 101). */
  readonly dedupe: (connection: Connection) => Dedupe
  /**
   * Asks the provider to dial; completes when it has accepted the call. With a `Key` dedupe, placing the same attempt
   * again returns the same call, even when that call has ended.
   */
  readonly place: (plan: DialPlan) => Effect.Effect<PlacedCall, DialFailed>
  /**
   * Looks up the call of an attempt. Every driver can find a call by its `provider_call_id`; drivers with a `Lookup`
   * dedupe, or a `Key` with `settle`, can also find it by the attempt id alone.
   */
  readonly lookup: (sought: CallLookup) => Effect.Effect<CallStatus, LookupFailed>
  /** Lists the calls in progress, if the provider supports it. The reaper uses this to end orphaned calls. */
  readonly live?: (connection: Connection) => Effect.Effect<ReadonlyArray<ListedCall>, LookupFailed>
  /** State of a line: whether it is registered and reachable. */
  readonly lineState?: (connection: Connection) => Effect.Effect<CarrierLineState>
  /** Ends a call by its provider id. Idempotent. */
  readonly end?: (connection: Connection, provider_call_id: string) => Effect.Effect<void>
  /**
   * Ends a call of a process that is gone, with the latest `signalling` of its call or line: stops ringing or hangs up.
   * Completes once that is confirmed or given up. Only where calls end with their process, but the other side of the line does
   * not know it.
   */
  readonly release?: (connection: Connection, signalling: string) => Effect.Effect<void>
  /** Verifies and parses events pushed by the provider, and answers what it asks. Events alone need no reply. */
  readonly readEvents?: (
    request: EventRequest
  ) => Effect.Effect<ReadonlyArray<CallEvent> | EventsRead, EventRefused>
  /**
   * Takes a WebSocket that the provider opens for a call, and completes when it is over. `open` accepts it; a token that is
   * not expected is closed with 1008.
   */
  readonly acceptStream?: (request: SocketRequest, open: OpenFrames) => Effect.Effect<void>
  /** Stream of incoming calls. */
  readonly offers: Stream.Stream<InboundOffer>
}

/** Registry of the available carriers, by provider name. */
export class Carriers extends Context.Tag("@trunkline/telephony/Carriers")<Carriers, {
  readonly find: (provider: string) => Option.Option<Carrier>
  readonly list: ReadonlyArray<Carrier>
}>() {
  /** Registers a fixed set of carriers. */
  static readonly layerOf = (carriers: ReadonlyArray<Carrier>) =>
    Layer.succeed(Carriers, {
      list: carriers,
      find: (provider) => Option.fromNullable(carriers.find((carrier) => carrier.provider === provider))
    })
}

/** A provider's support for dialling an attempt only once, even after its response was lost. */
export type Dedupe =
  /**
   * Placing the same attempt again within `ttl` returns the same call. `settle` is set when calls can also be found by
   * attempt, as with `Lookup`; this is the fallback after a key has expired.
   */
  | { readonly _tag: "Key"; readonly ttl: Duration.Duration; readonly settle?: Duration.Duration }
  /** Calls can be found by attempt; every accepted call is visible once `settle` has passed since the request. */
  | { readonly _tag: "Lookup"; readonly settle: Duration.Duration }
  /** No support: the outcome of a lost request is unknown. */
  | { readonly _tag: "None" }

/** Default time after which an accepted call is visible to lookups. */
export const defaultSettle = Duration.seconds(60)
