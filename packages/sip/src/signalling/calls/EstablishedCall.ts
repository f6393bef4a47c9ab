import { Effect } from "effect"
import { type AgentContext, callKey, capabilities } from "../agent/AgentContext.js"
import { isSuccess, refusedBy } from "../agent/Exchange.js"
import type { SipCall } from "../agent/SipCall.js"
import { numberOf, tagIn } from "../dialogs/Dialog.js"
import type { TimerSession } from "../dialogs/SessionTimer.js"
import type { SipMessage } from "../message/Message.js"
import { namesIn } from "../message/OptionTags.js"
import { networkCause } from "../message/Reason.js"
import { sessionType } from "../session/SessionBody.js"
import type { ServerTransaction } from "../transactions/ServerTransactions.js"
import { type CallCore, type CallSeed, makeCallCore } from "./CallCore.js"
import { keyOf, keyParts } from "./Keys.js"
import { offerTo, refreshSession } from "./LocalOffers.js"
import { receiveInvite, receiveUpdate } from "./RemoteOffers.js"
import { keepSession, type SessionKeeper } from "./SessionKeeper.js"
import { signallingOfDialog } from "./Signalling.js"
import { makeTransfers, type Transfers } from "./Transfers.js"

/** An answered call for its owner and for its other parts. */
export interface EstablishedCall {
  readonly call: SipCall
  readonly core: CallCore
}

/** True where the other side takes UPDATE, by its Allow headers. */
export const takesUpdate = (message: SipMessage): boolean => namesIn(message, "allow").includes("UPDATE")

const receiveInfo = (core: CallCore, transaction: ServerTransaction) => {
  const key = keyOf(transaction.request)
  if (key === null) {
    // An INFO without a body asks whether the call goes on.
    const isEmpty = transaction.request.body.length === 0
    return isEmpty
      ? core.respond(transaction, 200)
      : core.respond(transaction, 415, { headers: [["accept", "application/dtmf-relay, application/dtmf"]] })
  }
  core.respond(transaction, 200)
  core.inTurn(core.seed.handlers.onKey?.(key.digit, key.millis) ?? Effect.void)
}

/** Responds to a request within the dialog (RFC 3261, section 12.2.2). */
const receive = (
  core: CallCore,
  { keeper, transfers }: { readonly keeper: SessionKeeper; readonly transfers: Transfers },
  transaction: ServerTransaction
): void => {
  const { seed, state } = core
  const { request } = transaction
  if (tagIn(request, "from") !== state.dialog.remoteTag) return core.respond(transaction, 481)
  const number = numberOf(request)
  if (state.dialog.remoteNumber !== null && number <= state.dialog.remoteNumber) return core.respond(transaction, 500)
  state.dialog = { ...state.dialog, remoteNumber: number }
  if (request.method === "BYE") {
    core.respond(transaction, 200)
    const kind = core.copies.isLost() ? "no-ack" : "bye"
    return core.finish({ by: "remote", kind, cause: networkCause(request) }, { bye: false })
  }
  if (state.phase !== "up") return core.respond(transaction, 481)
  switch (request.method) {
    case "INVITE":
      return receiveInvite(core, keeper, transaction)
    case "UPDATE":
      return receiveUpdate(core, keeper, transaction)
    case "INFO":
      return receiveInfo(core, transaction)
    case "NOTIFY":
      return transfers.receive(transaction)
    default:
      return core.respond(transaction, 200, {
        headers: [["contact", seed.contact], ["accept", sessionType], ...capabilities(core.agent.product)]
      })
  }
}

/** Makes a call of its dialog, and puts it in the place of what answered for the dialog before. */
export const establish = (agent: AgentContext, seed: CallSeed, session: TimerSession | null): EstablishedCall => {
  const core = makeCallCore(agent, seed)
  const { state } = core
  const refresh: Effect.Effect<unknown, unknown> = Effect.suspend(() => refreshSession(core, keeper))
  const keeper = keepSession(core, refresh)
  const transfers = makeTransfers(core)
  keeper.renew(session)

  const bye = (cause?: number) =>
    Effect.suspend(() => {
      core.finish({ by: "local", kind: "bye", cause: null }, { bye: true, ...(cause === undefined ? {} : { cause }) })
      return core.closed
    })

  agent.calls.set(callKey(seed.dialog.callId, seed.dialog.localTag), {
    receive: (transaction) => receive(core, { keeper, transfers }, transaction),
    takeAck: (ack) => state.answer?.takeAck(ack),
    close: Effect.suspend(() => {
      core.finish({ by: "closed", kind: "closed", cause: null }, { bye: true })
      return core.closed
    })
  })
  return {
    core,
    call: {
      callId: seed.dialog.callId,
      remoteSdp: () => state.remoteSdp,
      signalling: () => signallingOfDialog(state.dialog, seed.hops.current()),
      reinvite: (offer) => offerTo(core, keeper, offer),
      refer: transfers.refer,
      replaces: () => {
        const { callId, localTag, remoteTag } = state.dialog
        return `${callId};to-tag=${remoteTag};from-tag=${localTag}`
      },
      press: (digit, millis = 160) =>
        Effect.flatMap(
          core.request("INFO", keyParts({ digit, millis })),
          (response) => isSuccess(response) ? Effect.void : Effect.fail(refusedBy(response))
        ),
      bye,
      isConfirmed: core.isConfirmed,
      ended: core.ended
    }
  }
}
