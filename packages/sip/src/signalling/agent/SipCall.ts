import { Data, type Effect, type Stream } from "effect"

/** An offer that the other side made within a call cannot be answered. */
export class OfferRefused extends Data.TaggedError("OfferRefused")<{
  /** From 400 to 699; default 488, Not Acceptable Here. */
  readonly status?: number
}> {}

/** A request got no final response, or one that refuses it. */
export class SipRequestFailed extends Data.TaggedError("RequestFailed")<{
  /**
   * `refused`: a final response other than 2xx. `timeout`: no final response in 64*T1. `transport`: it could not be sent.
   * `ended`: the call or the agent has ended. `overload`: this agent has as many transactions as it may.
   */
  readonly kind: "refused" | "timeout" | "transport" | "ended" | "overload"
  /** Status of the final response; null without one. */
  readonly status: number | null
  /** Seconds of a Retry-After header; null without one. */
  readonly retryAfter: number | null
  /** Why it could not be sent, such as a code of the operating system or of TLS, safe for logs; absent where it is not known. */
  readonly reason?: string
}> {}

/** End of a call that was answered. */
export interface CallEnd {
  /**
   * `local`: `bye`. `remote`: the other side's BYE. `fault`: the call broke, see `kind`; `closed`: the user agent closed.
   */
  readonly by: "local" | "remote" | "fault" | "closed"
  /**
   * `bye`: hung up. `no-ack`: the answer to the call was never acknowledged; where it was the other side's, that hangs up.
   * `expired`: the session was not refreshed in time. `gone`: the other side knows no such call any more (481), or is silent
   * (408), as when it never acknowledges our answer to a later offer. `closed`: the user agent closed.
   */
  readonly kind: "bye" | "no-ack" | "expired" | "gone" | "closed"
  /** Q.850 cause of the other side's Reason header; null without one. */
  readonly cause: number | null
}

/** State of a transfer, as the other side reports it (RFC 3515, section 2.4.5). */
export interface TransferProgress {
  /** Status of the other side's own call: below 200 it goes on, 2xx it was answered, above it failed. */
  readonly status: number
  /** The other side reports no more. */
  readonly final: boolean
}

/**
 * Behaviour of our side during a call. Handlers run one at a time for each call, and a request of the other side is
 * answered when its handler has completed.
 */
export interface CallHandlers {
  /**
   * Answers a new offer of the other side (re-INVITE or UPDATE) with our session description. The offer is null where the
   * other side asks for an offer of ours, whose answer then goes to `answer`. By default, a new offer is refused with 488,
   * and the present description is offered. The present offer again, which refreshes the session, does not come here.
   */
  readonly reoffer?: (offer: string | null) => Effect.Effect<string, OfferRefused>
  /** Takes the other side's answer to an offer that it asked for. */
  readonly answer?: (sdp: string) => Effect.Effect<void>
  /** Takes a key sent by INFO: `0` to `9`, `*`, `#`, `A` to `D`, and the milliseconds it was pressed (default 160). */
  readonly onKey?: (digit: string, millis: number) => Effect.Effect<void>
}

/** An answered call. It ends when either side hangs up, when it breaks, or when the user agent's scope closes. */
export interface SipCall {
  readonly callId: string
  /** The other side's session description, of its latest offer or answer; empty until it has sent one. */
  readonly remoteSdp: () => string
  /** Text by which `UserAgent.release` of a later process hangs up, should this one stop. It holds URIs: not for logs. */
  readonly signalling: () => string
  /** Sends a new offer (re-INVITE) and returns the answer. Retries after a glare (491), as RFC 3261, section 14.1 says. */
  readonly reinvite: (offer: string) => Effect.Effect<string, SipRequestFailed>
  /**
   * Asks the other side to call a URI instead (REFER). Completes when it has accepted to try, with its reports: the
   * stream ends with the final one, or with the call. Where the other side says that it reports nothing (RFC 4488), the only
   * report is its own 2xx. With `replaces`, the `replaces` of another call, its call takes the place of that one (RFC 3891).
   */
  readonly refer: (
    target: string,
    replaces?: string
  ) => Effect.Effect<Stream.Stream<TransferProgress>, SipRequestFailed>
  /** Value of a Replaces header by which a call of the other side's takes the place of this one. */
  readonly replaces: () => string
  /** Sends a key by INFO (`application/dtmf-relay`). */
  readonly press: (digit: string, millis?: number) => Effect.Effect<void, SipRequestFailed>
  /**
   * Hangs up, with a Q.850 cause in a Reason header if one is given, and completes when the other side has confirmed or
   * 64*T1 have passed. Idempotent.
   */
  readonly bye: (cause?: number) => Effect.Effect<void>
  /**
   * True once the other side has acknowledged our answer to the call. Where this side placed the call: false while the other
   * side repeats its answer, as if our acknowledgement did not arrive.
   */
  readonly isConfirmed: () => boolean
  /** Completes with the end of the call; at once when it has ended. */
  readonly ended: Effect.Effect<CallEnd>
}
