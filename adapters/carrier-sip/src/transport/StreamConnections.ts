import { makeMessageFramer, type Received, type SipAddress } from "@trunkline/sip"
import { Effect, Either, type Scope } from "effect"
import { randomInt } from "node:crypto"
import { connect, createServer, isIP, type Server, type Socket } from "node:net"
import { makeAcceptedSockets } from "./AcceptedSockets.js"
import { isWildcard, plainAddress } from "./LocalAddresses.js"
import { type Binding, errorCode, SocketUnavailable } from "./UdpSocket.js"

/** Limits of connections, in milliseconds, bytes and numbers. */
export interface StreamLimits {
  readonly connectMillis: number
  /** Time between keep-alives of connections that we opened (RFC 5626, section 4.4.1). */
  readonly keepAliveMillis: number
  /** Time without any bytes after which an accepted connection is closed. */
  readonly idleMillis: number
  /** Time that an accepted connection has for its first bytes. */
  readonly firstBytesMillis: number
  /** Accepted connections at once. */
  readonly accepted: number
  /** Accepted connections of one address at once. */
  readonly acceptedOfAddress: number
  /** Bytes that may wait to be sent over a connection before it counts as broken. */
  readonly waitingBytes: number
}

/** Limits that hold unless others are given. */
export const streamLimits: StreamLimits = {
  connectMillis: 4_000,
  keepAliveMillis: 30_000,
  idleMillis: 3_600_000,
  firstBytesMillis: 10_000,
  accepted: 1_000,
  acceptedOfAddress: 100,
  waitingBytes: 4 * 1024 * 1024
}

/** Protocol of connections: TCP, or TLS over it. */
export interface StreamKind {
  readonly protocol: "tcp" | "tls"
  /** Makes a server that does not listen yet; null for a side that takes no connections. */
  readonly serve: (limits: StreamLimits) => Server | null
  /** Event of the server for a connection that is ready for messages. */
  readonly acceptEvent: "connection" | "secureConnection"
  /** Opens a connection; it is ready for messages with `connectEvent`. */
  readonly connect: (peer: StreamPeer, local: LocalSide) => Socket
  readonly connectEvent: "connect" | "secureConnect"
}

/** Own address and port of a connection, as far as they are not free. */
export interface LocalSide {
  readonly localAddress?: string
  readonly localPort?: number
}

/** The other side of a connection. */
export type StreamPeer = Pick<SipAddress, "host" | "port" | "serverName">

/** Connections over TCP. */
export const tcpStreams: StreamKind = {
  protocol: "tcp",
  serve: () => createServer({ keepAlive: true, noDelay: true }),
  acceptEvent: "connection",
  connect: ({ host, port }, local) => connect({ host, port, keepAlive: true, noDelay: true, ...local }),
  connectEvent: "connect"
}

/** Messages over the connections of one protocol, at one address. */
export interface StreamConnections {
  /** Port at which connections are taken; where none are, the own port of those that are opened. */
  readonly port: () => number
  readonly send: (bytes: Uint8Array, to: SipAddress, onFailure: (reason: string) => void) => void
}

const ping = new TextEncoder().encode("\r\n\r\n")
const pong = "\r\n"

/** One message that waits for its connection, or for the system to take it. */
type Failed = (reason: string) => void

interface Connection {
  readonly id: string
  readonly socket: Socket
  readonly peer: StreamPeer
  /** Fails what the system has not taken when the connection breaks. */
  readonly waiting: Set<Failed>
  /** Told a message that the system has taken. */
  readonly onTaken: (onFailure: Failed) => void
}

/**
 * Port of connections that are opened where none are taken: another one for each process, which an earlier one may still hold. It
 * lies above those that Linux gives to connections by default (32,768 to 60,999), of which thousands may be in use.
 */
const freshPort = (): number => randomInt(61_000, 65_536)

const peerKey = ({ host, port }: { readonly host: string; readonly port: number }) => `${host} ${port}`

const listen = (server: Server, { address, port }: Binding): Effect.Effect<Server, SocketUnavailable> =>
  Effect.async((resume) => {
    server.once(
      "error",
      (error) => resume(Effect.fail(new SocketUnavailable({ address, port, code: errorCode(error) })))
    )
    server.listen({ host: address, port, exclusive: true }, () => {
      server.removeAllListeners("error")
      // Errors of a listening server concern a connection that could not be accepted.
      server.on("error", () => {})
      resume(Effect.succeed(server))
    })
  })

/**
 * Listens at an address, opens connections to peers where there are none, and gives every message to `receive` until the
 * scope closes. Tells `onClose` the peer of each connection that closes, with the reason. A connection
 * that breaks is opened again by the next message to its peer.
 */
export const openStreamConnections = (
  kind: StreamKind,
  binding: Binding,
  { onClose, limits, receive }: {
    readonly receive: (arrival: Received) => void
    readonly limits: StreamLimits
    readonly onClose: (peer: StreamPeer, reason: string) => void
  }
): Effect.Effect<StreamConnections, SocketUnavailable, Scope.Scope> =>
  Effect.gen(function*() {
    const connections = new Map<string, Connection>()
    /** Connections that we opened, by host and port of the peer. */
    const openedConnections = new Map<string, Connection>()
    const acceptedSockets = makeAcceptedSockets(limits)
    let ids = 0

    const unbound = kind.serve(limits)
    // A peer that looks for the port of our Contact finds the connection that we opened from it.
    let ownPort = freshPort()
    if (unbound !== null) {
      yield* Effect.acquireRelease(listen(unbound, binding), (server) =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          acceptedSockets.destroyAll()
        }))
    }
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const { socket } of connections.values()) socket.destroy()
      })
    )

    /** Breaks a connection whose peer does not read what it is sent. */
    const limitWaiting = (socket: Socket): void => {
      if (socket.writableLength > limits.waitingBytes) socket.destroy()
    }

    const keep = (socket: Socket, peer: Connection["peer"], isOpened: boolean): Connection => {
      let isReady = !isOpened
      let isHeard = !isOpened
      /** Messages that the peer may not have read: a handshake may fail, also after TLS 1.3 has sent them. */
      const unheard = new Set<Failed>()
      const connection: Connection = {
        id: String(++ids),
        socket,
        peer,
        waiting: new Set(),
        onTaken: (onFailure) => {
          connection.waiting.delete(onFailure)
          if (!isHeard) unheard.add(onFailure)
        }
      }
      connections.set(connection.id, connection)
      const framer = makeMessageFramer()
      socket.once(kind.connectEvent, () => isReady = true)
      socket.on("data", (chunk) => {
        isHeard = true
        unheard.clear()
        let pings = 0
        for (const frame of framer.push(chunk)) {
          if (frame._tag === "Ping") pings += 1
          else if (frame._tag === "Broken") socket.destroy()
          else if (frame._tag !== "Pong") {
            const message = frame._tag === "Message" ? Either.right(frame.message) : Either.left(frame.error)
            receive({ message, source: { protocol: kind.protocol, ...peer, connection: connection.id } })
          }
        }
        if (pings > 0) socket.write(pong.repeat(pings))
        limitWaiting(socket)
      })
      let reason = "the connection was closed"
      socket.on("error", (error) => {
        reason = errorCode(error)
      })
      socket.on("close", () => {
        connections.delete(connection.id)
        if (openedConnections.get(peerKey(peer)) === connection) openedConnections.delete(peerKey(peer))
        const isUnread = !isReady || (!isHeard && /^ERR_(?:SSL|TLS)_/.test(reason))
        const failures = [...connection.waiting, ...(isUnread ? unheard : [])]
        connection.waiting.clear()
        unheard.clear()
        failures.forEach((onFailure) => onFailure(reason))
        onClose(peer, reason)
      })
      return connection
    }

    const open = (peer: Connection["peer"]): Connection => {
      // The port of the listener stays free for a peer that connects to it at the same moment.
      const isOneAddress = isIP(binding.address) !== 0 && !isWildcard(binding.address)
      const socket = kind.connect(peer, {
        ...(isOneAddress && { localAddress: binding.address }),
        ...(unbound === null && { localPort: ownPort })
      })
      socket.once("error", (error) => {
        if (errorCode(error).startsWith("EADDR")) ownPort = freshPort()
      })
      const connection = keep(socket, peer, true)
      openedConnections.set(peerKey(peer), connection)
      const connecting = setTimeout(() => socket.destroy(new Error("timeout")), limits.connectMillis)
      const pinging = setInterval(() => socket.readyState === "open" && socket.write(ping), limits.keepAliveMillis)
      socket.once(kind.connectEvent, () => clearTimeout(connecting))
      socket.once("close", () => {
        clearTimeout(connecting)
        clearInterval(pinging)
      })
      return connection
    }

    unbound?.on("connection", acceptedSockets.admit)
    unbound?.on(kind.acceptEvent, (socket: Socket) => {
      if (socket.destroyed) return
      socket.setTimeout(limits.firstBytesMillis, () => socket.destroy())
      socket.once("data", () => socket.setTimeout(limits.idleMillis))
      keep(socket, { host: plainAddress(socket.remoteAddress ?? ""), port: socket.remotePort ?? 0 }, false)
    })

    const address = unbound?.address()
    return {
      port: () => typeof address === "object" && address !== null ? address.port : ownPort,
      send: (bytes, { connection, host, port, serverName }, onFailure) => {
        const peer = { host, port, ...(serverName !== undefined && { serverName }) }
        const existing = (connection === undefined ? undefined : connections.get(connection)) ??
          openedConnections.get(peerKey(peer))
        const { socket, onTaken, waiting } = existing ?? open(peer)
        waiting.add(onFailure)
        socket.write(bytes, (error) => {
          if (error == null) onTaken(onFailure)
        })
        limitWaiting(socket)
      }
    }
  })
