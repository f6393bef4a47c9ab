import { Effect } from "effect"
import { routeTo } from "../dialogs/Routing.js"
import type { DigestCredentials } from "../digest/DigestClient.js"
import { writeNameAddr } from "../headers/NameAddr.js"
import { sessionType } from "../session/SessionBody.js"
import type { SipTarget } from "../transport/SipTransport.js"
import { type AgentContext, capabilities } from "./AgentContext.js"
import { makeAuthorizer } from "./Authorizer.js"
import { exchange } from "./Exchange.js"
import { addressesOf, type Hops, makeHops } from "./Hops.js"
import type { SipRequestFailed } from "./SipCall.js"

/** Sends OPTIONS, and returns the status of its final response: see `UserAgent.options`. */
export const ping = (
  agent: AgentContext,
  { credentials, from, nextHop, target }: {
    readonly target: string
    readonly from: string
    readonly nextHop?: SipTarget
    readonly credentials?: DigestCredentials
  }
): Effect.Effect<number, SipRequestFailed> =>
  Effect.suspend(() => {
    const callId = agent.tokens.next()
    const tag = agent.tokens.next()
    const { hop, uri } = routeTo(target, [])
    const hops: Pick<Hops, "addressOf"> = nextHop === undefined
      ? makeHops(agent)
      : { addressOf: () => Effect.map(addressesOf(agent, nextHop), ([address]) => address) }
    let number = 0
    const build = () => {
      number++
      return {
        hop,
        request: {
          _tag: "Request" as const,
          method: "OPTIONS",
          uri,
          headers: [
            ["max-forwards", "70"] as const,
            ["from", writeNameAddr({ displayName: "", uri: from, params: [["tag", tag]] })] as const,
            ["to", writeNameAddr({ displayName: "", uri: target, params: [] })] as const,
            ["call-id", callId] as const,
            ["cseq", `${number} OPTIONS`] as const,
            ["accept", sessionType] as const,
            ...capabilities(agent.product)
          ],
          body: new Uint8Array(0)
        }
      }
    }
    const authorizer = makeAuthorizer(agent.tokens, credentials)
    return exchange(agent, { build, authorizer, hops })
  }).pipe(Effect.map(({ status }) => status))
