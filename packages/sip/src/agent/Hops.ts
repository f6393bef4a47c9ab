import { Effect } from "effect"
import { targetOf } from "../dialogs/Routing.js"
import { type SipAddress, type SipTarget, Unresolved } from "../transport/SipTransport.js"
import type { AgentContext } from "./AgentContext.js"

/** Next hops of the requests of one call. The same hop is resolved once, so that a call stays on its way. */
export interface Hops {
  /** Address of the hop that a URI names. */
  readonly addressOf: (uri: string) => Effect.Effect<SipAddress, Unresolved>
}

/** All addresses of a hop, best first. */
export const addressesOf = (
  { transport }: AgentContext,
  hop: SipTarget | undefined
): Effect.Effect<readonly [SipAddress, ...Array<SipAddress>], Unresolved> =>
  hop === undefined ? Effect.fail(new Unresolved({ reason: "no host to send to" })) : transport.resolve(hop)

/** Makes the hops of a call. */
export const makeHops = (agent: AgentContext): Hops => {
  let latest: readonly [uri: string, address: SipAddress] | null = null
  return {
    addressOf: (uri) =>
      Effect.suspend(() =>
        latest?.[0] === uri ? Effect.succeed(latest[1]) : Effect.map(addressesOf(agent, targetOf(uri)), ([address]) => {
          latest = [uri, address]
          return address
        })
      )
  }
}
