import { fiberStarter } from "@trunkline/kernel"
import type { Received, SipAddress, SipTransport } from "@trunkline/sip"
import { type Context, Effect, ExecutionStrategy, Exit, Scope } from "effect"
import { isIP } from "node:net"
import { makeLocalAddresses } from "./LocalAddresses.js"
import { makeResolver, type NameServer } from "./Resolver.js"
import { openStreamConnections, type StreamLimits, streamLimits, tcpStreams } from "./StreamConnections.js"
import { type TlsIdentity, tlsStreams } from "./TlsStreams.js"
import { type Binding, openUdpSocket, type SocketUnavailable } from "./UdpSocket.js"

/** Options of the sockets at one local address. */
export interface SipSocketsOptions extends Binding {
  /** Address at which peers outside of this machine's networks reach it, as behind a NAT. */
  readonly advertised?: string | undefined
  readonly names?: NameServer
  readonly limits?: Partial<StreamLimits>
  /** Certificates for TLS, and its port; by default the one after the port of TCP. Undefined without TLS. */
  readonly tls?: { readonly identity: TlsIdentity; readonly port?: number } | undefined
}

type Peer = Pick<SipAddress, "host" | "port">

/** Times to look for a port that is free for both protocols. */
const portSearches = 20

/** Sockets of one local address. */
export interface SipSockets extends Context.Tag.Service<SipTransport> {
  /** Port of UDP and TCP. */
  readonly port: number
  /** Port of TLS now; null without it. */
  readonly tlsPort: () => number | null
}

/**
 * Opens UDP and TCP at one address and port, and TLS where it is used, as a transport of SIP messages. All close with the scope,
 * with all connections.
 */
export const openSipSockets = (
  { address, advertised, limits: limitOptions = {}, names, port, tls }: SipSocketsOptions
): Effect.Effect<SipSockets, SocketUnavailable, Scope.Scope> =>
  Effect.gen(function*() {
    const listeners = new Set<(arrival: Received) => void>()
    const receive = (arrival: Received) => listeners.forEach((listener) => listener(arrival))
    const closeListeners = new Set<(peer: Peer) => void>()
    const onClose = (peer: Peer) => closeListeners.forEach((listener) => listener(peer))
    const limits = { ...streamLimits, ...limitOptions }
    const logs = yield* fiberStarter()
    const secureClosed = (peer: Peer, reason: string) => {
      onClose(peer)
      const code = certificateFault(reason)
      if (code !== null) logs(Effect.logWarning(`The certificate of a SIP server was refused: ${code}`))
    }
    const openTls = ({ identity, port: tlsPort }: NonNullable<typeof tls>, beside: number) =>
      openStreamConnections(
        tlsStreams(identity),
        { address, port: tlsPort ?? (port === 0 ? 0 : beside + 1) },
        { receive, limits, onClose: secureClosed }
      )
    const open = Effect.gen(function*() {
      const connections = yield* openStreamConnections(tcpStreams, { address, port }, {
        receive,
        limits,
        onClose
      })
      return {
        connections,
        datagrams: yield* openUdpSocket({ address, port: connections.port() }, receive),
        secure: tls === undefined ? null : yield* openTls(tls, connections.port())
      }
    })
    const { connections, datagrams, secure } = yield* openOnce(open, port === 0 ? portSearches : 0)
    const locals = makeLocalAddresses({ bindAddress: address, advertised })
    return {
      port: datagrams.port,
      tlsPort: () => secure?.port() ?? null,
      listen: (listener) =>
        Effect.acquireRelease(
          Effect.sync(() => listeners.add(listener)),
          () => Effect.sync(() => listeners.delete(listener))
        ),
      onClose: (listener) =>
        Effect.acquireRelease(
          Effect.sync(() => void closeListeners.add(listener)),
          () => Effect.sync(() => closeListeners.delete(listener))
        ),
      send: (bytes, to, onFailure) => {
        const way = to.protocol === "udp" ? datagrams : to.protocol === "tcp" ? connections : secure
        if (way === null) setImmediate(onFailure, "the line has no TLS")
        else way.send(bytes, to, onFailure)
      },
      local: ({ host, protocol }) => ({
        host: locals.towards(host),
        port: protocol === "tls" && secure !== null ? secure.port() : datagrams.port
      }),
      resolve: makeResolver({ ...(names !== undefined && { names }), family: isIP(address) === 4 ? 4 : 0 })
    }
  })

/** Code of a fault that lies in a certificate; null for another fault of a connection. */
const certificateFault = (code: string): string | null =>
  /CERT|SELF_SIGNED|ISSUER|SIGNATURE|ALTNAME/.test(code) ? code : null

/** Opens all sockets, in a scope of their own as long as they may fail. */
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
