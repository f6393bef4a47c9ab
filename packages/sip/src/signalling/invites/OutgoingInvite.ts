import { Deferred, Duration, Effect, Either, Exit, FiberId, Mailbox } from "effect"
import { type AgentContext, callKey, contactFor, maxRinging, patience, sdpOf } from "../agent/AgentContext.js"
import { makeAuthorizer } from "../agent/Authorizer.js"
import { isSuccess, retryAfterOf, withHeaders } from "../agent/Exchange.js"
import { addressesOf, makeHops, sourceHop } from "../agent/Hops.js"
import type { SipCall } from "../agent/SipCall.js"
import { establish, takesUpdate } from "../calls/EstablishedCall.js"
import { signallingOfInvite } from "../calls/Signalling.js"
import { type Dialog, tagIn } from "../dialogs/Dialog.js"
import { routeTo, targetOf } from "../dialogs/Routing.js"
import { minimumIn, sessionOfResponse } from "../dialogs/SessionTimer.js"
import { parseUri } from "../headers/Uri.js"
import type { Headers, SipRequest, SipResponse } from "../message/Message.js"
import { networkCause } from "../message/Reason.js"
import type { ClientTransaction } from "../transactions/ClientTransactions.js"
import type { SipAddress } from "../transport/SipTransport.js"
import { receiveEarly } from "./EarlyRequests.js"
import { makeAnswers } from "./InviteAnswers.js"
import { inviteRequest, userOf } from "./InviteRequest.js"
import { type Invitation, InviteFailed, type OutgoingCall, type ProvisionalResponse, Rejected } from "./OutgoingCall.js"
import { makeReliableProgress } from "./ReliableProgress.js"

type Addresses = readonly [SipAddress, ...Array<SipAddress>]

/** Progress that waits to be read, at most; then the oldest goes. */
const capacity = 16

/** INVITE requests of one call, those after challenges included. */
const maxTries = 8

/** Places a call: see `UserAgent.invite`. */
export const placeCall = (
  agent: AgentContext,
  invitation: Invitation
): Effect.Effect<OutgoingCall, InviteFailed> =>
  Effect.gen(function*() {
    const { from, nextHop, routes = [], target, to = from } = invitation
    if (![target, from.uri, to.uri, ...routes].every((uri) => Either.isRight(parseUri(uri)))) {
      return yield* new InviteFailed({ kind: "malformed", reason: "a URI of the invitation is malformed" })
    }
    const hop = nextHop ?? targetOf(routeTo(target, routes.map((uri) => `<${uri}>`)).hop)
    const addresses = yield* Effect.mapError(
      addressesOf(agent, hop),
      ({ reason }) => new InviteFailed({ kind: "unresolved", reason })
    )
    if (agent.isClosing()) return yield* new InviteFailed({ kind: "closed", reason: "the user agent is closed" })
    if (agent.isFull()) return yield* new InviteFailed({ kind: "overload", reason: "too many transactions" })
    const progress = yield* Mailbox.make<ProvisionalResponse>({ capacity, strategy: "sliding" })
    return yield* Effect.uninterruptibleMask((restore) => {
      const { call, response } = startInvite(agent, invitation, addresses, progress)
      return restore(response).pipe(Effect.onInterrupt(() => call.cancel), Effect.as(call))
    })
  })

/** Sends the INVITE, and goes on with it until it is answered or refused. */
const startInvite = (
  agent: AgentContext,
  invitation: Invitation,
  addresses: Addresses,
  progress: Mailbox.Mailbox<ProvisionalResponse>
): { readonly call: OutgoingCall; readonly response: Effect.Effect<void, InviteFailed> } => {
  const { callId = agent.tokens.next(), contactUser = userOf(invitation.from.uri), handlers = {} } = invitation
  const localTag = agent.tokens.next()
  const key = callKey(callId, localTag)
  const firstResponse = Deferred.unsafeMake<void, InviteFailed>(FiberId.none)
  const outcome = Deferred.unsafeMake<SipCall, Rejected>(FiberId.none)
  const authorizer = makeAuthorizer(agent.tokens, invitation.credentials)
  const hops = makeHops(agent)
  const wayTo = (dialog: Dialog) => sourceHop(dialog, address, invitation.latch)
  const answers = makeAnswers(agent, { authorizer, hops, wayTo, latestNumber: () => number })
  const reliable = makeReliableProgress(agent, { authorizer, nextNumber: () => ++number, wayTo })

  let [address, ...others] = addresses
  let number = 0
  let { minimum } = agent.session
  let transaction: ClientTransaction | null = null
  let signalling = ""
  /** `waiting`: the latest INVITE has no response yet; only after one a CANCEL may be sent. */
  let stage: "waiting" | "proceeding" | "over" = "waiting"
  let stopping: "cancelled" | "unanswered" | "closed" | null = null
  let isCancelled = false
  let rang = false
  let early: ProvisionalResponse | null = null
  let stopGuard = () => {}
  let noteCopy: (tag: string) => void = () => {}

  const contact = () => contactFor(agent, address, contactUser)

  const send = (credentials: Headers | null = null) => {
    number++
    stage = "waiting"
    const { request } = inviteRequest(agent, invitation, { callId, localTag, number, minimum, contact: contact() })
    const outgoing = credentials === null ? authorizer.present(request) : withHeaders(request, credentials)
    transaction = agent.clients.request(outgoing, address, {
      response: (response) => {
        if (response.status < 200) return reliable.take(outgoing, response) ? onProgress(response) : undefined
        if (isSuccess(response)) onAnswer(outgoing, response)
        else if (stage !== "over") onRefusal(request, response)
      },
      onFailure: (kind, reason) => {
        if (stage !== "over") onFailure(kind, reason)
      }
    })
    signalling = signallingOfInvite(transaction.request, address)
  }

  const sendToNext = (): boolean => {
    const [next, ...rest] = others
    if (next === undefined || stopping !== null) return false
    address = next
    others = rest
    send()
    return true
  }

  const settle = () => {
    stage = "over"
    stopRinging()
    stopGuard()
    progress.unsafeDone(Exit.void)
    Deferred.unsafeDone(firstResponse, Effect.void)
  }

  const reject = (kind: Rejected["kind"], response: SipResponse | null) => {
    settle()
    agent.calls.delete(key)
    const rejection = new Rejected({
      kind,
      status: response?.status ?? null,
      phrase: response?.reason ?? "",
      cause: response === null ? null : networkCause(response),
      retryAfter: response === null ? null : retryAfterOf(response),
      rang
    })
    Deferred.unsafeDone(outcome, Effect.fail(rejection))
  }

  const onProgress = (response: SipResponse) => {
    if (stopping !== null) return sendCancel()
    if (stage === "over") return
    stage = "proceeding"
    Deferred.unsafeDone(firstResponse, Effect.void)
    if (response.status === 100) return
    rang = true
    const sdp = sdpOf(response)
    const details = { status: response.status, sdp, tag: tagIn(response, "to") }
    if (sdp !== null) early = details
    progress.unsafeOffer(details)
  }

  const onAnswer = (invite: SipRequest, response: SipResponse) => {
    const dialog = answers.acknowledge(invite, response)
    if (dialog === null) return noteCopy(tagIn(response, "to"))
    if (stage === "over") return agent.start(answers.hangUp(dialog))
    if (stopping !== null) {
      agent.start(answers.hangUp(dialog))
      return reject(stopping, response)
    }
    settle()
    const earlier = early?.tag === dialog.remoteTag ? early.sdp : null
    const { call, core } = establish(agent, {
      dialog,
      isCaller: true,
      contact: contact(),
      authorizer,
      hops,
      handlers,
      localSdp: invitation.offer,
      remoteSdp: sdpOf(response) ?? earlier ?? "",
      takesUpdate: takesUpdate(response)
    }, sessionOfResponse(response))
    noteCopy = (tag) => {
      if (tag === dialog.remoteTag) core.copies.note()
    }
    Deferred.unsafeDone(outcome, Effect.succeed(call))
  }

  const onRefusal = (request: SipRequest, response: SipResponse) => {
    if (stopping !== null) return reject(stopping, response)
    const credentials = number < maxTries ? authorizer.answer(request, response) : null
    if (credentials !== null) return send(credentials)
    if (response.status === 422 && number < maxTries && minimumIn(response) > minimum) {
      minimum = minimumIn(response)
      return send()
    }
    if (response.status === 503 && !rang && sendToNext()) return
    reject("refused", response)
  }

  const onFailure = (kind: "timeout" | "transport", reason: string) => {
    if (kind === "transport" && stage === "waiting" && sendToNext()) return
    Deferred.unsafeDone(
      firstResponse,
      Effect.fail(new InviteFailed({ kind: stopping === "closed" ? stopping : kind, reason }))
    )
    reject(stopping ?? kind, null)
  }

  const sendCancel = () => {
    if (isCancelled || transaction === null) return
    isCancelled = true
    stopGuard()
    const inviteTransaction = transaction
    agent.clients.cancel(inviteTransaction)
    // The other side may never send its 487 (RFC 3261, section 9.1).
    stopGuard = agent.after(patience(agent), () => {
      inviteTransaction.abandon()
      reject(stopping ?? "cancelled", null)
    })
  }

  /** Stops an INVITE without a response. One that comes late is cancelled or hung up, as long as a phone may ring. */
  const silence = (kind: "cancelled" | "unanswered" | "closed") => {
    transaction?.quiet()
    const failure = new InviteFailed({ kind: kind === "closed" ? kind : "timeout", reason: "no response in time" })
    Deferred.unsafeDone(firstResponse, Effect.fail(failure))
    stopGuard = agent.after(patience(agent), () => reject(kind, null))
    if (transaction !== null) agent.after(maxRinging, transaction.abandon)
  }

  const stop = (kind: "cancelled" | "unanswered" | "closed") => {
    if (stage === "over" || stopping !== null) return
    stopping = kind
    if (stage === "proceeding") sendCancel()
    else silence(kind)
  }

  const ringing = invitation.ringTimeout === undefined ? maxRinging : Duration.toMillis(invitation.ringTimeout)
  const stopRinging = agent.after(ringing, () => stop("unanswered"))
  agent.calls.set(key, {
    receive: (early) => receiveEarly(agent, early, { localTag, contact: contact() }),
    takeAck: () => {},
    close: Effect.suspend(() => {
      stop("closed")
      return Effect.ignore(Deferred.await(outcome))
    })
  })
  send()
  return {
    response: Deferred.await(firstResponse),
    call: {
      callId,
      signalling: () => signalling,
      progress: Mailbox.toStream(progress),
      answered: Deferred.await(outcome),
      cancel: Effect.sync(() => stop("cancelled"))
    }
  }
}
