import { Data, type Effect } from "effect"
import type { CallHandlers, SipCall } from "../agent/SipCall.js"
import type { DigestCredentials } from "../digest/DigestClient.js"
import type { Headers, SipRequest } from "../message/Message.js"
import type { SipAddress } from "../transport/SipTransport.js"

/** Decision about a request outside of calls. */
export type RequestDecision =
  | { readonly _tag: "Accept" }
  /** Responds without keeping anything: a refusal, or a challenge (401 with WWW-Authenticate). */
  | {
    readonly _tag: "Respond"
    /** From 300 to 699. */
    readonly status: number
    /** Further headers, such as `retry-after` or `www-authenticate`. */
    readonly headers?: Headers
  }
  /** Does not respond, as for floods. */
  | { readonly _tag: "Drop" }

/** The caller gave up before the call was accepted, or the call broke. */
export class CallGone extends Data.TaggedError("CallGone")<{
  /**
   * `cancelled`: the caller hung up. `rejected`: by `reject`. `no-ack`: the answer to our offer never came. `closed`: the
   * user agent closed.
   */
  readonly kind: "cancelled" | "rejected" | "no-ack" | "closed"
}> {}

/** Our side of a call that is accepted. */
export interface AcceptOptions {
  readonly handlers?: CallHandlers
  /** For proxies that challenge our requests within the call. */
  readonly credentials?: DigestCredentials
  /** True to send requests within the call where the other side's come from, whatever its Contact says. Default false. */
  readonly latch?: boolean
}

/** A call that comes in. It was admitted and passed all checks of RFC 3261, section 8.2; the caller has heard 100. */
export interface IncomingCall {
  readonly callId: string
  /** The INVITE, for its URI, From, To and further headers. */
  readonly request: SipRequest
  readonly source: SipAddress
  /** The caller's session description; null where it wants an offer of ours. */
  readonly offer: string | null
  /** Tells the caller that it rings (180), or sends early media (183) where there is a session description. */
  readonly ring: (sdp?: string) => Effect.Effect<void>
  /**
   * Answers the call. Completes at once; where the caller wanted an offer, when its answer has come. An answer that is
   * not acknowledged in 64*T1 ends the call.
   */
  readonly accept: (sdp: string, options?: AcceptOptions) => Effect.Effect<SipCall, CallGone>
  /**
   * Refuses the call with a status from 300 to 699 (any other becomes 480) and further headers. Does nothing once it was
   * answered or is gone.
   */
  readonly reject: (status: number, headers?: Headers) => Effect.Effect<void>
  /** Completes when the caller has given up; never once the call was answered or refused. */
  readonly cancelled: Effect.Effect<void>
}
