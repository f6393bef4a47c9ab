import { describeCause } from "@trunkline/kernel"
import { Effect } from "effect"
import { capabilities, sdpBody, sdpOf } from "../agent/AgentContext.js"
import { OfferRefused } from "../agent/SipCall.js"
import { withTarget } from "../dialogs/Dialog.js"
import { answerSession, type SessionAnswer } from "../dialogs/SessionTimer.js"
import type { Headers } from "../message/Message.js"
import { responseTo } from "../transactions/Responses.js"
import type { ServerTransaction } from "../transactions/ServerTransactions.js"
import type { CallCore } from "./CallCore.js"
import type { SessionKeeper } from "./SessionKeeper.js"

type Agreed = Extract<SessionAnswer, { readonly _tag: "Agreed" }>

/**
 * Our session description for an offer, or the status of a refusal. The present offer again only refreshes the session, so
 * its answer is the present one too.
 */
const descriptionFor = ({ seed, state }: CallCore, offer: string | null): Effect.Effect<string | number> =>
  Effect.suspend(() => {
    const handle = seed.handlers.reoffer
    if (offer === state.remoteSdp || offer === null && handle === undefined) return Effect.succeed(state.localSdp)
    return handle?.(offer) ?? Effect.fail(new OfferRefused({}))
  }).pipe(
    Effect.catchTag("OfferRefused", ({ status = 488 }) => Effect.succeed(status)),
    Effect.catchAllCause((cause) =>
      Effect.as(Effect.logError("The handler of an offer failed", describeCause(cause)), 500)
    )
  )

/** Refuses an offer while another one has no answer (RFC 3261, section 14.2, and RFC 3311, section 5.2). */
const mustWait = (core: CallCore, transaction: ServerTransaction): boolean => {
  const { agent, state } = core
  if (state.offerSide === "ours") core.respond(transaction, 491)
  else if (state.offerSide === "theirs" || state.answer !== null) {
    const seconds = Math.round(agent.tokens.fraction() * 10)
    core.respond(transaction, 500, { headers: [["retry-after", `${seconds}`]] })
  } else return false
  return true
}

/** Agrees on the session that a request asks for, or refuses it. */
const agree = (core: CallCore, transaction: ServerTransaction): Agreed | null => {
  const { agent } = core
  const session = answerSession(transaction.request, agent.session)
  if (session._tag === "Agreed") return session
  core.respond(transaction, 422, { headers: session.headers })
  return null
}

const commonHeaders = (core: CallCore, session: Agreed): Headers => [
  ["contact", core.seed.contact],
  ...capabilities(core.agent.product),
  ...session.headers
]

/** Answers a re-INVITE (RFC 3261, section 14.2): with the handler's description, or its refusal. */
export const receiveInvite = (core: CallCore, keeper: SessionKeeper, transaction: ServerTransaction): void => {
  const { seed, state } = core
  if (mustWait(core, transaction)) return
  const session = agree(core, transaction)
  if (session === null) return
  const { headers } = transaction.request
  const offer = sdpOf(transaction.request)
  state.offerSide = "theirs"
  state.dialog = withTarget(state.dialog, transaction.request)
  core.respond(transaction, 100)

  const answer = (sdp: string) => {
    const parts = sdpBody(sdp)
    const response = responseTo(transaction.request, 200, {
      tag: seed.dialog.localTag,
      headers: [...recordRoutes(headers), ...commonHeaders(core, session), ...parts.headers],
      body: parts.body
    })
    state.localSdp = sdp
    if (offer !== null) state.remoteSdp = offer
    keeper.renew(session.session)
    core.answer(transaction, response, (ack) => {
      const describedText = sdpOf(ack)
      if (offer !== null || describedText === null) return
      state.remoteSdp = describedText
      core.inTurn(seed.handlers.answer?.(describedText) ?? Effect.void)
    })
  }

  core.inTurn(Effect.map(descriptionFor(core, offer), (result) => {
    state.offerSide = "none"
    if (state.phase !== "up") core.respond(transaction, 487)
    else if (typeof result === "number") core.respond(transaction, result)
    else answer(result)
  }))
}

/** Answers an UPDATE (RFC 3311): at once where it only refreshes, and otherwise as a re-INVITE. */
export const receiveUpdate = (core: CallCore, keeper: SessionKeeper, transaction: ServerTransaction): void => {
  const { state } = core
  const offer = sdpOf(transaction.request)
  if (offer !== null && mustWait(core, transaction)) return
  const session = agree(core, transaction)
  if (session === null) return
  state.dialog = withTarget(state.dialog, transaction.request)
  if (offer === null) {
    keeper.renew(session.session)
    return core.respond(transaction, 200, { headers: commonHeaders(core, session) })
  }
  state.offerSide = "theirs"
  core.inTurn(Effect.map(descriptionFor(core, offer), (result) => {
    state.offerSide = "none"
    if (state.phase !== "up") return core.respond(transaction, 481)
    if (typeof result === "number") return core.respond(transaction, result)
    state.localSdp = result
    state.remoteSdp = offer
    keeper.renew(session.session)
    const parts = sdpBody(result)
    core.respond(transaction, 200, { headers: [...commonHeaders(core, session), ...parts.headers], body: parts.body })
  }))
}

const recordRoutes = (headers: Headers): Headers => headers.filter(([name]) => name === "record-route")
