import { Data, type Duration, type Effect, type Stream } from "effect"
import type { CallHandlers, SipCall } from "../agent/SipCall.js"
import type { DigestCredentials } from "../digest/DigestClient.js"
import type { Headers } from "../message/Message.js"
import type { SipTarget } from "../transport/SipTransport.js"

/** Name and URI of a side of a call. */
export interface Party {
  /** A SIP or tel URI without angle brackets. */
  readonly uri: string
  readonly displayName?: string
}

/** A call to place. */
export interface Invitation {
  /** The Request-URI. */
  readonly target: string
  readonly from: Party
  /** Default: the target. */
  readonly to?: Party
  /** Session description. */
  readonly offer: string
  /** Default: a random one. A caller that must know it before anything is sent chooses it. */
  readonly callId?: string
  /** User part of the Contact header; default: that of `from`. */
  readonly contactUser?: string
  /** Further headers, such as `p-asserted-identity`, with names in lower case. */
  readonly headers?: Headers
  /** Where the INVITE is sent, whatever its URI and routes say; default: the first route, or else the target. */
  readonly nextHop?: SipTarget
  /** URIs of proxies to pass, as Route headers; `;lr` marks a loose router. Default none. */
  readonly routes?: ReadonlyArray<string>
  readonly credentials?: DigestCredentials
  /** Time to ring, counted from the start; afterwards the call is cancelled. Default: no limit but the caller's. */
  readonly ringTimeout?: Duration.DurationInput
  readonly handlers?: CallHandlers
  /** True to send requests within the call where the other side's come from, whatever its Contact says. Default false. */
  readonly latch?: boolean
}

/** A provisional response other than 100. */
export interface ProvisionalResponse {
  /** Such as 180, Ringing, and 183, Session Progress. */
  readonly status: number
  /** Session description of early media; null without one. */
  readonly sdp: string | null
  /** Tag of the side that responded: a forked call has several. */
  readonly tag: string
}

/** The other side never responded to an INVITE. Nothing rings, as far as is known. */
export class InviteFailed extends Data.TaggedError("InviteFailed")<{
  /**
   * `timeout`: no response in 64*T1. `transport`: no address could be reached. `unresolved`: the next hop has no address.
   * `malformed`: a URI of the invitation is none. `closed`: the user agent is closed. `overload`: this agent has as many transactions as it may.
   */
  readonly kind: "timeout" | "transport" | "unresolved" | "malformed" | "closed" | "overload"
  /** Safe for logs. */
  readonly reason: string
}> {}

/** A call was not answered. */
export class Rejected extends Data.TaggedError("Rejected")<{
  /**
   * `refused`: a final response. `cancelled`: by `cancel`. `unanswered`: the ring timeout passed. `timeout`: no final
   * response. `transport`: the connection broke. `closed`: the user agent closed.
   */
  readonly kind: "refused" | "cancelled" | "unanswered" | "timeout" | "transport" | "closed"
  /** Status of the final response; null without one. */
  readonly status: number | null
  /** Its reason phrase, as the other side wrote it: not for logs. Empty without a response. */
  readonly phrase: string
  /** Q.850 cause of its Reason header; null without one. */
  readonly cause: number | null
  /** Seconds of its Retry-After header; null without one. */
  readonly retryAfter: number | null
  /** The other side rang, or sent another provisional response than 100. */
  readonly rang: boolean
}> {}

/** A call that was placed: the other side has responded. */
export interface OutgoingCall {
  readonly callId: string
  /** Text by which `UserAgent.release` of a later process cancels it, should this one stop. It holds URIs: not for logs. */
  readonly signalling: () => string
  /** Provisional responses other than 100, from the first; at most 16 wait. Ends with the final response. */
  readonly progress: Stream.Stream<ProvisionalResponse>
  /** Completes when the call was answered. `remoteSdp` then is the answer, empty if the other side sent none. */
  readonly answered: Effect.Effect<SipCall, Rejected>
  /**
   * Stops ringing; `answered` then fails, at the latest after 64*T1. Does nothing once the call was answered or refused.
   * An answer that crosses is hung up.
   */
  readonly cancel: Effect.Effect<void>
}
