import { Effect } from "effect"
import type { Dialog } from "../dialogs/Dialog.js"
import { targetOf } from "../dialogs/Routing.js"
import { defaultPort, type SipAddress, type SipTarget, Unresolved } from "../transport/SipTransport.js"
import type { AgentContext } from "./AgentContext.js"

/** URI of a hop with its address. */
export type Hop = readonly [uri: string, address: SipAddress]

/** Next hops of the requests of one call. The same hop is resolved once, so that a call stays on its way. */
export interface Hops {
  /** Address of the hop that a URI names. */
  readonly addressOf: (uri: string) => Effect.Effect<SipAddress, Unresolved>
  /** The latest hop whose address is known. */
  readonly current: () => Hop | undefined
  /** Gives the address of a hop, in place of the one that its URI resolves to. */
  readonly learn: (hop: Hop) => void
}

/** All addresses of a hop, best first. */
export const addressesOf = (
  { transport }: AgentContext,
  hop: SipTarget | undefined
): Effect.Effect<readonly [SipAddress, ...Array<SipAddress>], Unresolved> =>
  hop === undefined ? Effect.fail(new Unresolved({ reason: "no host to send to" })) : transport.resolve(hop)

/** Addresses that only a local network reaches (RFC 1918, 3927, 6598 and 4193). */
const isPrivate = (host: string): boolean =>
  /^(10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(host) ||
  /^(f[cd]|fe[89ab])[\da-f]{0,2}:/i.test(host)

/**
 * Hop of the requests to a peer whom its Contact does not lead to: one behind a NAT, whose Contact is private and whose
 * source is not, and one whose connection can be used further. With `latch`, it is the source in any case. Undefined where the
 * Contact, or a proxy, is the way.
 */
export const sourceHop = (
  { remoteTarget, routes }: Dialog,
  source: SipAddress,
  latch = false
): Hop | undefined => {
  const contact = targetOf(remoteTarget)
  if (contact === undefined || routes.length > 0) return undefined
  if (latch || (isPrivate(contact.host) && !isPrivate(source.host))) return [remoteTarget, source]
  // Over TLS the connection has proven who the peer is; another one, to an address, would not (RFC 5923).
  const isOnConnection = source.protocol !== "udp" && contact.protocol === source.protocol &&
    (source.protocol === "tls" || contact.host === source.host)
  return isOnConnection
    ? [remoteTarget, { ...source, port: contact.port ?? defaultPort(source.protocol) }]
    : undefined
}

/** Makes the hops of a call. One whose address is known already is given. */
export const makeHops = (agent: AgentContext, initialHop?: Hop): Hops => {
  let latest = initialHop
  return {
    addressOf: (uri) =>
      Effect.suspend(() =>
        latest?.[0] === uri ? Effect.succeed(latest[1]) : Effect.map(addressesOf(agent, targetOf(uri)), ([address]) => {
          latest = [uri, address]
          return address
        })
      ),
    current: () => latest,
    learn: (hop) => {
      latest = hop
    }
  }
}
