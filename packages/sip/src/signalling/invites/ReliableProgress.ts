import { Effect } from "effect"
import { type AgentContext, capabilities } from "../agent/AgentContext.js"
import type { Authorizer } from "../agent/Authorizer.js"
import { exchange } from "../agent/Exchange.js"
import { type Hop, makeHops } from "../agent/Hops.js"
import { type Dialog, dialogOfResponse, numberOf, requestWithin } from "../dialogs/Dialog.js"
import { header, type SipRequest, type SipResponse } from "../message/Message.js"
import { namesIn } from "../message/OptionTags.js"

/** Name of the extension for provisional responses that are acknowledged (RFC 3262). */
export const reliableProvisionals = "100rel"

/** Provisional responses of one call that their side sends again until they are acknowledged (RFC 3262). */
export interface ReliableProgress {
  /**
   * Acknowledges a response by PRACK if it asks for that. Returns false for one that is not to be processed: a copy, or one
   * whose predecessor is missing, which is not acknowledged and comes again.
   */
  readonly take: (invite: SipRequest, response: SipResponse) => boolean
}

/** Makes the reliable provisional responses of a call. */
export const makeReliableProgress = (
  agent: AgentContext,
  { authorizer, nextNumber, wayTo }: {
    readonly authorizer: Authorizer
    /** CSeq number of a new request of the call. */
    readonly nextNumber: () => number
    readonly wayTo: (dialog: Dialog) => Hop | undefined
  }
): ReliableProgress => {
  /** Number of the latest response that was acknowledged, by INVITE and by the side that sent it. */
  const latestNumbers = new Map<string, number>()

  const acknowledge = (invite: SipRequest, response: SipResponse, sequence: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      const dialog = dialogOfResponse(invite, response)
      const rack = ["rack", `${sequence} ${numberOf(invite)} INVITE`] as const
      const build = () =>
        requestWithin(dialog, "PRACK", nextNumber(), { headers: [...capabilities(agent.product), rack] })
      return Effect.ignore(exchange(agent, { build, authorizer, hops: makeHops(agent, wayTo(dialog)) }))
    })

  return {
    take: (invite, response) => {
      const sequence = Number(header(response, "rseq") ?? "")
      const isReliable = response.status > 100 && namesIn(response, "require").includes(reliableProvisionals)
      if (!isReliable || !Number.isInteger(sequence) || sequence < 1) return true
      const side = `${numberOf(invite)} ${dialogOfResponse(invite, response).remoteTag}`
      const latest = latestNumbers.get(side)
      if (latest !== undefined && sequence !== latest + 1) return false
      latestNumbers.set(side, sequence)
      agent.start(acknowledge(invite, response, sequence))
      return true
    }
  }
}
