import type { Entropy } from "@trunkline/kernel"
import { type Duration, Effect, type Scope } from "effect"
import type { SipRequest } from "../message/Message.js"
import type { Registration, RegistrationOptions } from "../registration/Registration.js"
import type { SipAddress, SipTarget, SipTransport } from "../transport/SipTransport.js"
import type { Admission, IncomingCall } from "./IncomingCall.js"
import type { Credentials, Invitation, InviteFailed, OutgoingCall } from "./OutgoingCall.js"
import type { RequestFailed } from "./SipCall.js"

/** Settings of a user agent. */
export interface UserAgentOptions {
  /** Value of the User-Agent and Server headers; default `trunkline`. */
  readonly product?: string
  /**
   * Decides about each request outside of calls before anything of it is kept; default: accepts all. It is a plain
   * function on the path of every such request, also of floods.
   */
  readonly admit?: (request: SipRequest, source: SipAddress) => Admission
  /** Handles an incoming call in a fiber of its own; one that completes without a decision refuses with 480. Default: refuses all. */
  readonly incoming?: (call: IncomingCall) => Effect.Effect<void>
  /** Session timers (RFC 4028): the interval to ask for (default 30 minutes) and the least to accept (default 90 s). */
  readonly session?: { readonly expires?: Duration.DurationInput; readonly minimum?: Duration.DurationInput }
  /** Transactions at once, beyond which requests are refused with 503; default 10,000. */
  readonly maxTransactions?: number
  /** Time that closing waits until hang-ups are confirmed; default 2 seconds. */
  readonly closeTimeout?: Duration.DurationInput
}

/** An OPTIONS request. */
export interface OptionsRequest {
  readonly target: string
  readonly from: string
  /** Where it is sent, whatever its URI says. */
  readonly nextHop?: SipTarget
  readonly credentials?: Credentials
}

/** Counts of the present, for gauges and tests. */
export interface UserAgentCounts {
  readonly transactions: number
  readonly calls: number
}

/** A SIP user agent: places and takes calls, keeps registrations. */
export interface UserAgent {
  /**
   * Places a call. Completes with the first response, provisional or final. Interruption before it cancels the call; so
   * does closing the user agent later.
   */
  readonly invite: (invitation: Invitation) => Effect.Effect<OutgoingCall, InviteFailed>
  /** Registers, and keeps the registration until the scope closes. */
  readonly register: (options: RegistrationOptions) => Effect.Effect<Registration, never, Scope.Scope>
  /** Asks for the other side's capabilities; returns the status of its response, whichever it is: it is alive. */
  readonly options: (request: OptionsRequest) => Effect.Effect<number, RequestFailed>
  readonly counts: () => UserAgentCounts
}

/**
 * Makes a user agent on a transport. When its scope closes, it hangs up every call, cancels those that ring, and waits
 * until that is confirmed, at most `closeTimeout`.
 */
export const makeUserAgent = (
  _options: UserAgentOptions = {}
): Effect.Effect<UserAgent, never, SipTransport | Entropy | Scope.Scope> => Effect.dieMessage("not there yet")
