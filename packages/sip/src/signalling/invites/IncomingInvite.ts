import { describeCause } from "@trunkline/kernel"
import { Cause, Deferred, Effect, FiberId } from "effect"
import {
  type AgentContext,
  callKey,
  capabilities,
  contactFor,
  maxRinging,
  sdpBody,
  sdpOf
} from "../agent/AgentContext.js"
import { makeAuthorizer } from "../agent/Authorizer.js"
import { makeHops, sourceHop } from "../agent/Hops.js"
import type { SipCall } from "../agent/SipCall.js"
import { establish, type EstablishedCall, takesUpdate } from "../calls/EstablishedCall.js"
import { dialogOfRequest } from "../dialogs/Dialog.js"
import { answerSession } from "../dialogs/SessionTimer.js"
import { header, type Headers, headers, type SipRequest } from "../message/Message.js"
import { namesIn } from "../message/OptionTags.js"
import { type ResponseParts, responseTo } from "../transactions/Responses.js"
import type { ServerTransaction } from "../transactions/ServerTransactions.js"
import { receiveEarly } from "./EarlyRequests.js"
import { type AcceptOptions, CallGone, type IncomingCall } from "./IncomingCall.js"
import { userOf } from "./InviteRequest.js"
import { reliableProvisionals } from "./ReliableProgress.js"

/** An incoming call before its answer, for the CANCEL of its caller. */
export interface IncomingInvite {
  readonly cancel: () => void
}

/**
 * Takes an INVITE that was admitted, and gives it to its handler. A call without a decision is refused: with 480 when the
 * handler has completed or 3 minutes have passed, with 500 when it broke.
 */
export const receiveInvite = (
  agent: AgentContext,
  transaction: ServerTransaction,
  handler: (call: IncomingCall) => Effect.Effect<void>
): IncomingInvite | null => {
  const { request, source } = transaction
  const localTag = agent.tokens.next()
  const key = callKey(header(request, "call-id") ?? "", localTag)
  const contact = contactFor(agent, source, userOf(request.uri))
  const offer = sdpOf(request)
  const cancellation = Deferred.unsafeMake<void>(FiberId.none)
  const over = Deferred.unsafeMake<void>(FiberId.none)
  let endCause: CallGone["kind"] | null = null
  let stage: "ringing" | "answered" | "over" = "ringing"

  const respond = (status: number, parts: ResponseParts = {}) =>
    transaction.respond(responseTo(request, status, { tag: localTag, ...parts }))

  const session = answerSession(request, agent.session)
  if (session._tag === "TooSmall") {
    respond(422, { headers: session.headers })
    return null
  }

  /** Headers of a response that makes a dialog (RFC 3261, section 12.1.1). */
  const dialogHeaders: Headers = [
    ...headers(request, "record-route").map((route) => ["record-route", route] as const),
    ["contact", contact],
    ...capabilities(agent.product)
  ]

  const refuse = (kind: CallGone["kind"], status: number, further: Headers = []) => {
    if (stage !== "ringing") return
    stage = "over"
    endCause = kind
    stopRinging()
    agent.calls.delete(key)
    respond(status, { headers: further })
    if (kind !== "rejected") Deferred.unsafeDone(cancellation, Effect.void)
    Deferred.unsafeDone(over, Effect.void)
  }

  // A caller who needs each provisional response to be reliable (RFC 3262) gets none.
  const isSilent = namesIn(request, "require").includes(reliableProvisionals)

  const ring = (sdp: string | undefined) => {
    if (stage !== "ringing" || isSilent) return
    if (sdp === undefined) return respond(180, { headers: dialogHeaders })
    const parts = sdpBody(sdp)
    respond(183, { headers: [...dialogHeaders, ...parts.headers], body: parts.body })
  }

  const answer = (
    sdp: string,
    { credentials, handlers = {}, latch }: AcceptOptions,
    onAck: (ack: SipRequest) => void
  ): EstablishedCall => {
    stage = "answered"
    stopRinging()
    const dialog = dialogOfRequest(request, localTag)
    const result = establish(agent, {
      dialog,
      isCaller: false,
      contact,
      authorizer: makeAuthorizer(agent.tokens, credentials),
      hops: makeHops(agent, sourceHop(dialog, source, latch)),
      handlers,
      localSdp: sdp,
      remoteSdp: offer ?? "",
      takesUpdate: takesUpdate(request)
    }, session.session)
    const parts = sdpBody(sdp)
    const response = responseTo(request, 200, {
      tag: localTag,
      headers: [...dialogHeaders, ...session.headers, ...parts.headers],
      body: parts.body
    })
    result.core.answer(transaction, response, onAck)
    Deferred.unsafeDone(over, Effect.void)
    return result
  }

  const accept = (sdp: string, options: AcceptOptions = {}): Effect.Effect<SipCall, CallGone> =>
    Effect.suspend(() => {
      if (stage !== "ringing") return Effect.fail(new CallGone({ kind: endCause ?? "rejected" }))
      if (offer !== null) return Effect.succeed(answer(sdp, options, () => {}).call)
      const confirmation = Deferred.unsafeMake<SipCall, CallGone>(FiberId.none)
      const { call, core } = answer(sdp, options, (ack) => {
        core.state.remoteSdp = sdpOf(ack) ?? ""
        Deferred.unsafeDone(confirmation, Effect.succeed(call))
      })
      core.onEnd(() => Deferred.unsafeDone(confirmation, Effect.fail(new CallGone({ kind: "no-ack" }))))
      return Deferred.await(confirmation)
    })

  const call: IncomingCall = {
    callId: header(request, "call-id") ?? "",
    request,
    source,
    offer,
    ring: (sdp) => Effect.sync(() => ring(sdp)),
    accept,
    reject: (status, further) =>
      Effect.sync(() => refuse("rejected", status >= 300 && status < 700 ? status : 480, further)),
    cancelled: Deferred.await(cancellation)
  }

  const stopRinging = agent.after(maxRinging, () => refuse("cancelled", 480))
  const cancel = () => refuse("cancelled", 487)

  agent.calls.set(key, {
    receive: (early) => {
      if (early.request.method !== "BYE") return receiveEarly(agent, early, { localTag, contact })
      // A caller may hang up an early dialog by BYE as well (RFC 3261, section 15).
      early.respond(responseTo(early.request, 200, { tag: localTag }))
      cancel()
    },
    takeAck: () => {},
    close: Effect.sync(() => refuse("closed", 503))
  })
  respond(100)
  agent.start(
    handler(call).pipe(
      Effect.exit,
      Effect.flatMap((exit) =>
        exit._tag === "Failure" && !Cause.isInterruptedOnly(exit.cause)
          ? Effect.zipRight(
            Effect.sync(() => refuse("rejected", 500)),
            Effect.logError("The handler of an incoming call failed", describeCause(exit.cause))
          )
          : Effect.sync(() => refuse("rejected", 480))
      )
    )
  )
  return { cancel }
}
