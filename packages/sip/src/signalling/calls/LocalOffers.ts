import { Deferred, Duration, Effect } from "effect"
import { maxRinging, sdpBody, sdpOf } from "../agent/AgentContext.js"
import { failedBecause, isSuccess, refusedBy, withHeaders } from "../agent/Exchange.js"
import { SipRequestFailed } from "../agent/SipCall.js"
import { numberOf, requestWithin, type Routed, withTarget } from "../dialogs/Dialog.js"
import { minimumIn, sessionOfResponse, sessionRequest } from "../dialogs/SessionTimer.js"
import type { Headers, SipResponse } from "../message/Message.js"
import type { SipAddress } from "../transport/SipTransport.js"
import type { CallCore } from "./CallCore.js"
import type { SessionKeeper } from "./SessionKeeper.js"

/** Tries of one offer, those after challenges and glares included. */
const maxTries = 12

/** Acknowledges the 2xx of our INVITE within the dialog; the result sends the same ACK again. */
const acknowledgeAnswer = (core: CallCore, { headers }: Routed["request"], response: SipResponse) => {
  const credentials = headers.filter(([name]) => name === "authorization" || name === "proxy-authorization")
  const { hop, request } = requestWithin(core.state.dialog, "ACK", numberOf(response), { headers: credentials })
  return Effect.map(core.seed.hops.addressOf(hop), (address) => core.agent.clients.sendOnly(request, address))
}

/** Sends a re-INVITE once; each copy of its 2xx is acknowledged. */
const inviteOnce = (
  core: CallCore,
  request: Routed["request"],
  address: SipAddress
): Effect.Effect<SipResponse, SipRequestFailed> =>
  Effect.async((resume) => {
    const { agent, state } = core
    if (agent.isFull()) return resume(Effect.fail(failedBecause("overload")))
    let sendAgain: (() => void) | undefined
    const give = (result: Effect.Effect<SipResponse, SipRequestFailed>) => {
      stopWaiting()
      resume(result)
    }
    const transaction = agent.clients.request(request, address, {
      response: (response) => {
        if (response.status < 200) return
        if (!isSuccess(response)) return give(Effect.succeed(response))
        if (sendAgain !== undefined) return sendAgain()
        sendAgain = () => {}
        state.dialog = withTarget(state.dialog, response)
        const acknowledge = Effect.tap(acknowledgeAnswer(core, request, response), (again) => {
          sendAgain = again
        })
        agent.start(Effect.ignore(acknowledge))
        give(Effect.succeed(response))
      },
      onFailure: (kind) => give(Effect.fail(failedBecause(kind)))
    })
    const stopWaiting = agent.after(maxRinging, () => {
      transaction.abandon()
      give(Effect.fail(failedBecause("timeout")))
    })
  })

/** Pause after a glare (RFC 3261, section 14.1): longer for the side that chose the Call-ID. */
const glarePause = ({ agent, seed }: CallCore) => {
  const share = agent.tokens.fraction()
  return Duration.millis(10 * Math.round(seed.isCaller ? 210 + share * 190 : share * 200))
}

/**
 * Makes an offer to the other side (re-INVITE) and returns its answer; the present offer again refreshes the session. It is
 * tried again after a glare, a challenge, and with a longer session interval. It goes on when the waiting is interrupted,
 * since an INVITE cannot be taken back.
 */
export const offerTo = (
  core: CallCore,
  keeper: SessionKeeper,
  offer: string
): Effect.Effect<string, SipRequestFailed> => {
  const { agent, seed, state } = core
  let minimum = agent.session.minimum

  const build = (): Routed => {
    const { body, headers } = sdpBody(offer)
    const timer: Headers = sessionRequest({ ...agent.session, minimum }, keeper.session())
    return core.next("INVITE", { headers: [...headers, ...timer], body })
  }

  interface Try {
    /** Tries that are left. */
    readonly triesLeft: number
    /** Credentials that answer a challenge to the try before. */
    readonly credentials: Headers | null
  }

  const pause = (triesLeft: number) =>
    Effect.zipRight(Effect.sleep(glarePause(core)), attempt({ triesLeft, credentials: null }))

  const attempt = ({ credentials, triesLeft }: Try): Effect.Effect<SipResponse, SipRequestFailed> =>
    Effect.suspend(() => {
      if (state.phase !== "up") return Effect.fail(failedBecause("ended"))
      if (triesLeft === 0) return Effect.fail(new SipRequestFailed({ kind: "refused", status: 491, retryAfter: null }))
      // One offer at a time: another one of either side, or an answer without its ACK, goes first.
      if (state.offerSide !== "none" || state.answer !== null) return pause(triesLeft - 1)
      state.offerSide = "ours"
      const { hop, request } = build()
      const outgoing = credentials === null ? seed.authorizer.present(request) : withHeaders(request, credentials)
      return seed.hops.addressOf(hop).pipe(
        Effect.mapError(() => failedBecause("transport")),
        Effect.flatMap((address) => inviteOnce(core, outgoing, address)),
        Effect.ensuring(Effect.sync(() => {
          state.offerSide = "none"
        })),
        Effect.flatMap((response) => {
          const answer = seed.authorizer.answer(request, response)
          if (answer !== null) return attempt({ credentials: answer, triesLeft: triesLeft - 1 })
          if (response.status === 491) return pause(triesLeft - 1)
          if (response.status !== 422 || minimumIn(response) <= minimum) return Effect.succeed(response)
          minimum = minimumIn(response)
          return attempt({ credentials: null, triesLeft: triesLeft - 1 })
        })
      )
    })

  const outcome = Effect.flatMap(attempt({ triesLeft: maxTries, credentials: null }), (response) => {
    if (!isSuccess(response)) return Effect.fail(refusedBy(response))
    state.localSdp = offer
    state.remoteSdp = sdpOf(response) ?? state.remoteSdp
    keeper.renew(sessionOfResponse(response))
    return Effect.succeed(state.remoteSdp)
  }).pipe(Effect.tapError((failure) => Effect.sync(() => core.endIfGone(failure))))

  return Effect.flatMap(Deferred.make<string, SipRequestFailed>(), (result) => {
    // The fibers of a user agent end when it closes.
    const interruption = Deferred.fail(result, failedBecause("ended"))
    agent.start(Effect.asVoid(Effect.intoDeferred(Effect.onInterrupt(outcome, () => interruption), result)))
    return Deferred.await(result)
  })
}

/** Refreshes the session: by UPDATE where the other side takes it, and otherwise by the present offer (RFC 4028, 7.4). */
export const refreshSession = (core: CallCore, keeper: SessionKeeper): Effect.Effect<void, SipRequestFailed> => {
  const { agent, seed, state } = core
  if (!seed.takesUpdate) return Effect.asVoid(Effect.suspend(() => offerTo(core, keeper, state.localSdp)))
  const update = (minimum: number): Effect.Effect<void, SipRequestFailed> =>
    Effect.flatMap(
      core.request("UPDATE", { headers: sessionRequest({ ...agent.session, minimum }, keeper.session()) }),
      (response) => {
        if (isSuccess(response)) {
          state.dialog = withTarget(state.dialog, response)
          return Effect.sync(() => keeper.renew(sessionOfResponse(response)))
        }
        const isLonger = response.status === 422 && minimumIn(response) > minimum
        return isLonger ? update(minimumIn(response)) : Effect.fail(refusedBy(response))
      }
    )
  return Effect.suspend(() => update(agent.session.minimum))
}
