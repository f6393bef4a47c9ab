import { Effect } from "effect"
import { type AgentContext, capabilities } from "../agent/AgentContext.js"
import type { Authorizer } from "../agent/Authorizer.js"
import { exchange } from "../agent/Exchange.js"
import type { Hop, Hops } from "../agent/Hops.js"
import { type Dialog, dialogOfResponse, requestWithin } from "../dialogs/Dialog.js"
import type { SipRequest, SipResponse } from "../message/Message.js"

/** The 2xx responses of one INVITE, from one side or, when a proxy forked it, from several. */
export interface InviteAnswers {
  /** Acknowledges a 2xx, also a copy. Returns its dialog when it is the first of its side. */
  readonly acknowledge: (invite: SipRequest, response: SipResponse) => Dialog | null
  /** Hangs up a dialog that is not wanted: one too many, or one that comes after a CANCEL. */
  readonly hangUp: (dialog: Dialog) => Effect.Effect<void>
}

/** Makes the answers of an INVITE (RFC 3261, section 13.2.2.4). */
export const makeAnswers = (
  agent: AgentContext,
  { authorizer, hops, latestNumber = () => 0, wayTo }: {
    readonly authorizer: Authorizer
    readonly hops: Hops
    /** Way to the other side of a dialog where its Contact is none. */
    readonly wayTo: (dialog: Dialog) => Hop | undefined
    /** CSeq number of the latest request of the call, where PRACK had some; by default that of the INVITE. */
    readonly latestNumber?: () => number
  }
): InviteAnswers => {
  /** Sends the ACK of a side again; does nothing while its address is being resolved. */
  const acks = new Map<string, () => void>()

  const acknowledge = (invite: SipRequest, dialog: Dialog) => {
    const headers = invite.headers.filter(([name]) => name === "authorization" || name === "proxy-authorization")
    const { hop, request } = requestWithin(dialog, "ACK", dialog.localNumber, { headers })
    return Effect.map(hops.addressOf(hop), (address) => {
      acks.set(dialog.remoteTag, agent.clients.sendOnly(request, address))
    })
  }

  return {
    acknowledge: (invite, response) => {
      const dialog = dialogOfResponse(invite, response)
      const sendAgain = acks.get(dialog.remoteTag)
      if (sendAgain !== undefined) {
        sendAgain()
        return null
      }
      acks.set(dialog.remoteTag, () => {})
      const way = wayTo(dialog)
      if (way !== undefined) hops.learn(way)
      agent.start(Effect.ignore(acknowledge(invite, dialog)))
      return { ...dialog, localNumber: Math.max(dialog.localNumber, latestNumber()) }
    },
    hangUp: (dialog) => {
      let number = dialog.localNumber
      const build = () => {
        number++
        return requestWithin(dialog, "BYE", number, { headers: capabilities(agent.product) })
      }
      return Effect.ignore(exchange(agent, { build, hops, authorizer }))
    }
  }
}
