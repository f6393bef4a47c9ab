import { Deferred, Effect, Either, FiberId, Schema } from "effect"
import { type AgentContext, capabilities, patience } from "../agent/AgentContext.js"
import { makeAuthorizer } from "../agent/Authorizer.js"
import { exchange, isSuccess } from "../agent/Exchange.js"
import { makeHops } from "../agent/Hops.js"
import { type Inviting, Signalling, type Talking } from "../calls/Signalling.js"
import { contactOf, numberOf, requestWithin, tagIn } from "../dialogs/Dialog.js"
import type { DigestCredentials } from "../digest/DigestClient.js"
import { header, headers, type SipRequest, type SipResponse } from "../message/Message.js"
import type { SipAddress } from "../transport/SipTransport.js"
import { makeAnswers } from "./InviteAnswers.js"

/** Gap in the CSeq numbers, above all requests that a call may have sent since its signalling was kept. */
const numberGap = 1_000

const readSignalling = Schema.decodeUnknownEither(Signalling)

/** Takes up an INVITE that waits, cancels it, and hangs up an answer that crosses. */
const cancelInvite = (
  agent: AgentContext,
  { address, headers, uri }: Inviting,
  credentials: DigestCredentials | undefined
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const over = Deferred.unsafeMake<void>(FiberId.none)
    const invite: SipRequest = { _tag: "Request", method: "INVITE", uri, headers, body: new Uint8Array(0) }
    const authorizer = makeAuthorizer(agent.tokens, credentials)
    const answers = makeAnswers(agent, { authorizer, hops: makeHops(agent), wayTo: () => undefined })
    const finish = () => Deferred.unsafeDone(over, Effect.void)
    const transaction = agent.clients.resume(invite, address, {
      response: (response) => {
        if (response.status < 200) return
        if (!isSuccess(response)) return finish()
        const dialog = answers.acknowledge(invite, response)
        if (dialog !== null) agent.start(Effect.ensuring(answers.hangUp(dialog), Effect.sync(finish)))
      },
      onFailure: finish
    })
    agent.clients.cancel(transaction)
    agent.after(patience(agent), () => {
      transaction.abandon()
      finish()
    })
    return Deferred.await(over)
  })

const hangUp = (
  agent: AgentContext,
  { dialog, hop }: Talking,
  credentials: DigestCredentials | undefined
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const hops = makeHops(agent, hop === null ? undefined : [hop.uri, hop.address])
    let number = dialog.localNumber + numberGap
    const build = () => {
      number++
      return requestWithin(dialog, "BYE", number, { headers: capabilities(agent.product) })
    }
    return Effect.ignore(exchange(agent, { build, hops, authorizer: makeAuthorizer(agent.tokens, credentials) }))
  })

/** Ends a call of a user agent that is gone: see `UserAgent.release`. */
export const release = (
  agent: AgentContext,
  signalling: string,
  credentials?: DigestCredentials
): Effect.Effect<void> =>
  Either.match(readSignalling(signalling), {
    onLeft: () => Effect.logWarning("A call of an earlier process cannot be ended: its signalling cannot be read"),
    onRight: (stage) =>
      stage._tag === "Inviting" ? cancelInvite(agent, stage, credentials) : hangUp(agent, stage, credentials)
  })

/**
 * Acknowledges an answer to an INVITE that this user agent does not know, and hangs up: its process is gone. Both requests are
 * sent once, to the source of the answer, and again with each of its copies.
 */
export const endLateAnswer = (agent: AgentContext, response: SipResponse, source: SipAddress): void => {
  const remoteTarget = contactOf(response)
  if (remoteTarget === undefined) return
  const dialog = {
    callId: header(response, "call-id") ?? "",
    localTag: tagIn(response, "from"),
    remoteTag: tagIn(response, "to"),
    local: header(response, "from") ?? "",
    remote: header(response, "to") ?? "",
    remoteTarget,
    routes: headers(response, "record-route").toReversed(),
    localNumber: numberOf(response),
    remoteNumber: null
  }
  agent.clients.sendOnly(requestWithin(dialog, "ACK", dialog.localNumber).request, source)
  const bye = requestWithin(dialog, "BYE", dialog.localNumber + 1, { headers: capabilities(agent.product) })
  agent.clients.sendOnly(bye.request, source)
}
