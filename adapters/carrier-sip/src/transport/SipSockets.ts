import type { Received, SipTransport } from "@trunkline/sip"
import { type Context, Effect, ExecutionStrategy, Exit, Scope } from "effect"
import { isIP } from "node:net"
import { makeLocalAddresses } from "./LocalAddresses.js"
import { makeResolver, type NameServer } from "./Resolver.js"
import { openTcpConnections, type TcpLimits, tcpLimits } from "./TcpConnections.js"
import { type Binding, openUdpSocket, type SocketUnavailable } from "./UdpSocket.js"

/** Options of the sockets at one local address. */
export interface SipSocketsOptions extends Binding {
  /** Address at which peers outside of this machine's networks reach it, as behind a NAT. */
  readonly advertised?: string | undefined
  readonly names?: NameServer
  readonly tcp?: Partial<TcpLimits>
}

/** Times to look for a port that is free for both protocols. */
const portSearches = 20

/** Sockets of one local address. */
export interface SipSockets extends Context.Tag.Service<SipTransport> {
  /** Port of both protocols. */
  readonly port: number
}

/**
 * Opens UDP and TCP at one address and port, as a transport of SIP messages. Both close with the scope, with all
 * connections.
 */
export const openSipSockets = (
  { address, advertised, names, port, tcp = {} }: SipSocketsOptions
): Effect.Effect<SipSockets, SocketUnavailable, Scope.Scope> =>
  Effect.gen(function*() {
    const listeners = new Set<(received: Received) => void>()
    const receive = (received: Received) => listeners.forEach((listener) => listener(received))
    const limits = { ...tcpLimits, ...tcp }
    const open = Effect.gen(function*() {
      const connections = yield* openTcpConnections({ address, port }, receive, limits)
      return { connections, datagrams: yield* openUdpSocket({ address, port: connections.port }, receive) }
    })
    const { connections, datagrams } = yield* openOnce(open, port === 0 ? portSearches : 0)
    const locals = makeLocalAddresses({ bound: address, advertised })
    return {
      port: datagrams.port,
      listen: (listener) =>
        Effect.acquireRelease(
          Effect.sync(() => listeners.add(listener)),
          () => Effect.sync(() => listeners.delete(listener))
        ),
      send: (bytes, to, failed) => (to.protocol === "udp" ? datagrams : connections).send(bytes, to, failed),
      local: ({ host }) => ({ host: locals.towards(host), port: datagrams.port }),
      resolve: makeResolver({ ...(names !== undefined && { names }), family: isIP(address) === 4 ? 4 : 0 })
    }
  })

/** Opens both sockets, in a scope of their own as long as they may fail. */
const openOnce = <A>(
  open: Effect.Effect<A, SocketUnavailable, Scope.Scope>,
  retries: number
): Effect.Effect<A, SocketUnavailable, Scope.Scope> =>
  Effect.gen(function*() {
    const outer = yield* Effect.scope
    const inner = yield* Scope.fork(outer, ExecutionStrategy.sequential)
    return yield* Scope.extend(open, inner).pipe(
      Effect.onError(() => Scope.close(inner, Exit.void))
    )
  }).pipe(Effect.retry({ times: retries }))
