import { describeCause, type Entropy } from "@trunkline/kernel"
import { Cause, Duration, Effect, Either, FiberSet, type Scope } from "effect"
import { type AgentContext, type CallEntry, callKey, capabilities, contactFor } from "./agent/AgentContext.js"
import { refusalOf } from "./agent/Checks.js"
import { isSuccess } from "./agent/Exchange.js"
import { ping } from "./agent/Ping.js"
import type { SipRequestFailed } from "./agent/SipCall.js"
import { tagIn } from "./dialogs/Dialog.js"
import type { DigestCredentials } from "./digest/DigestClient.js"
import type { IncomingCall, RequestDecision } from "./invites/IncomingCall.js"
import { type IncomingInvite, receiveInvite } from "./invites/IncomingInvite.js"
import type { Invitation, InviteFailed, OutgoingCall } from "./invites/OutgoingCall.js"
import { placeCall } from "./invites/OutgoingInvite.js"
import { endLateAnswer, release } from "./invites/Release.js"
import { header, type SipRequest, type SipResponse } from "./message/Message.js"
import { keepRegistration } from "./registration/KeepRegistration.js"
import type { Registration, RegistrationOptions } from "./registration/Registration.js"
import { sessionType } from "./session/SessionBody.js"
import { makeClientTransactions } from "./transactions/ClientTransactions.js"
import { standardTimers } from "./transactions/Machine.js"
import {
  makeServerTransactions,
  type ServerTransaction,
  type ServerUser,
  type StatelessResponse
} from "./transactions/ServerTransactions.js"
import { makeTokens } from "./transactions/Tokens.js"
import { clientKey } from "./transactions/TransactionKeys.js"
import { type Received, type SipAddress, type SipTarget, SipTransport } from "./transport/SipTransport.js"
import { makeTimers } from "./transport/Timers.js"

/** Settings of a user agent. */
export interface UserAgentOptions {
  /** Value of the User-Agent header; default `trunkline`. */
  readonly product?: string
  /**
   * Decides about each request outside of calls before anything of it is kept; default: accepts all. It is a plain
   * function on the path of every such request, also of floods, and of requests that are malformed. The request of an
   * incoming call is the same object.
   */
  readonly admit?: (request: SipRequest, source: SipAddress) => RequestDecision
  /**
   * Handles an incoming call in a fiber of its own. One that completes without a decision refuses with 480. By default, all
   * are refused.
   */
  readonly incoming?: (call: IncomingCall) => Effect.Effect<void>
  /**
   * Decides whether an answer (2xx) to an INVITE that this user agent never sent is acknowledged and hung up, by its source:
   * it is for a process that is gone, and somebody listens to silence. By default, never.
   */
  readonly admitLateAnswer?: (source: SipAddress) => boolean
  /** Session timers (RFC 4028): the interval to ask for (default 30 minutes) and the least to accept (default 90 s). */
  readonly session?: { readonly expires?: Duration.DurationInput; readonly minimum?: Duration.DurationInput }
  /** Transactions at once, beyond which requests are refused with 503; default 20,000. */
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
  readonly credentials?: DigestCredentials
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
   * does closing the user agent later. A caller that can be interrupted takes the result in an uninterruptible region, or
   * nobody is left to cancel the call.
   */
  readonly invite: (invitation: Invitation) => Effect.Effect<OutgoingCall, InviteFailed>
  /** Registers, and keeps the registration until the scope closes. */
  readonly register: (options: RegistrationOptions) => Effect.Effect<Registration, never, Scope.Scope>
  /**
   * Ends a call of a user agent that is gone, by what its `signalling` returned: an INVITE that waits is cancelled, also when
   * its answer crosses, and an answered call gets a BYE. Completes when that is confirmed or given up.
   */
  readonly release: (signalling: string, credentials?: DigestCredentials) => Effect.Effect<void>
  /** Asks for the other side's capabilities; returns the status of its response, whichever it is: it is alive. */
  readonly options: (request: OptionsRequest) => Effect.Effect<number, SipRequestFailed>
  readonly counts: () => UserAgentCounts
}

const seconds = (duration: Duration.DurationInput) => Math.round(Duration.toSeconds(duration))

/**
 * Makes a user agent on a transport. When its scope closes, it hangs up every call, cancels those that ring, and waits
 * until that is confirmed, at most `closeTimeout`.
 */
export const makeUserAgent = (
  {
    admit = () => ({ _tag: "Accept" }),
    admitLateAnswer = () => false,
    closeTimeout = "2 seconds",
    incoming = () => Effect.void,
    maxTransactions = 20_000,
    product = "trunkline",
    session: { expires = "30 minutes", minimum = "90 seconds" } = {}
  }: UserAgentOptions = {}
): Effect.Effect<UserAgent, never, SipTransport | Entropy | Scope.Scope> =>
  Effect.gen(function*() {
    const transport = yield* SipTransport
    const after = yield* makeTimers
    const tokens = yield* makeTokens
    const startFiber = yield* FiberSet.makeRuntime<never>()
    const calls = new Map<string, CallEntry>()
    const ringing = new WeakMap<ServerTransaction, IncomingInvite>()
    let isClosing = false

    const basics = { transport, after, tokens, timers: standardTimers }
    const clients = makeClientTransactions(basics)
    const agent: AgentContext = {
      ...basics,
      clients,
      calls,
      product,
      session: { expires: seconds(expires), minimum: Math.max(90, seconds(minimum)) },
      start: (effect) => void startFiber(effect),
      isFull: () => clients.count() + servers.count() >= maxTransactions,
      isClosing: () => isClosing
    }

    const callOf = (request: SipRequest) => calls.get(callKey(header(request, "call-id") ?? "", tagIn(request, "to")))

    const user: ServerUser = {
      admit: (request, source) => {
        if (callOf(request) !== undefined) return "keep"
        const admission = admit(request, source)
        if (admission._tag === "Drop") return null
        return admission._tag === "Respond" ? admission : "keep"
      },
      check: (request, source) => {
        const refusal = refusalOf(request)
        if (refusal !== null) return refusal
        if (tagIn(request, "to") === "") return withoutCall(request, source)
        return callOf(request) === undefined ? { status: 481 } : "keep"
      },
      request: (transaction) => {
        const call = callOf(transaction.request)
        if (call !== undefined) return call.receive(transaction)
        const invite = receiveInvite(agent, transaction, incoming)
        if (invite !== null) ringing.set(transaction, invite)
      },
      onAck: (ack) => callOf(ack)?.takeAck(ack),
      onCancel: (transaction) => ringing.get(transaction)?.cancel()
    }

    /** INVITE makes a call, and OPTIONS is answered without one; all others need one. */
    const withoutCall = ({ method }: SipRequest, source: SipAddress): "keep" | StatelessResponse => {
      if (method === "INVITE") return isClosing ? { status: 503 } : "keep"
      if (method !== "OPTIONS") return { status: 481 }
      return {
        status: 200,
        headers: [["contact", contactFor(agent, source, null)], ["accept", sessionType], ...capabilities(product)]
      }
    }

    /** Copies of an answer may come after its transaction has ended, while the call goes on. */
    const isLateAnswer = (response: SipResponse, source: SipAddress): boolean =>
      isSuccess(response) && clientKey(response)?.endsWith(" INVITE") === true &&
      !calls.has(callKey(header(response, "call-id") ?? "", tagIn(response, "from"))) && admitLateAnswer(source)

    const servers = makeServerTransactions(basics, user, agent.isFull)
    const receive = ({ message, source }: Received) => {
      if (Either.isLeft(message)) return servers.receiveMalformed(message.left, source)
      if (message.right._tag === "Request") servers.receive(message.right, source)
      else if (!clients.receive(message.right) && isLateAnswer(message.right, source)) {
        endLateAnswer(agent, message.right, source)
      }
    }
    yield* transport.listen((packet) => {
      // One message that goes wrong, as in `admit`, must not end what all others need.
      try {
        receive(packet)
      } catch (error) {
        agent.start(Effect.logError("A SIP message could not be processed", describeCause(Cause.die(error))))
      }
    })
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        isClosing = true
        return Effect.forEach([...calls.values()], ({ close }) => close, { concurrency: "unbounded" })
      }).pipe(
        Effect.interruptible,
        Effect.timeout(closeTimeout),
        Effect.ignore,
        Effect.zipRight(Effect.sync(() => clients.close()))
      )
    )

    return {
      invite: (invitation) => placeCall(agent, invitation),
      register: (options) => keepRegistration(agent, options),
      release: (signalling, credentials) => release(agent, signalling, credentials),
      options: (request) => ping(agent, request),
      counts: () => ({ transactions: clients.count() + servers.count(), calls: calls.size })
    }
  })
