import { makeMessageFramer, type Received, type SipAddress } from "@trunkline/sip"
import { Effect, Either, type Scope } from "effect"
import { connect, createServer, isIP, type Server, type Socket } from "node:net"
import { plainAddress } from "./LocalAddresses.js"
import { type Binding, errorCode, SocketUnavailable } from "./UdpSocket.js"

/** Limits of TCP connections, in milliseconds, bytes and numbers. */
export interface TcpLimits {
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
export const tcpLimits: TcpLimits = {
  connectMillis: 4_000,
  keepAliveMillis: 30_000,
  idleMillis: 3_600_000,
  firstBytesMillis: 10_000,
  accepted: 1_000,
  acceptedOfAddress: 100,
  waitingBytes: 4 * 1024 * 1024
}

/** Messages over TCP, at one address. */
export interface TcpConnections {
  readonly port: number
  readonly send: (bytes: Uint8Array, to: SipAddress, failed: (reason: string) => void) => void
}

const ping = new TextEncoder().encode("\r\n\r\n")
const pong = "\r\n"

/** One message that waits for its connection, or for the system to take it. */
type Failed = (reason: string) => void

interface Connection {
  readonly id: string
  readonly socket: Socket
  readonly peer: { readonly host: string; readonly port: number }
  /** Fails what the system has not taken when the connection breaks. */
  readonly waiting: Set<Failed>
}

const peerKey = ({ host, port }: { readonly host: string; readonly port: number }) => `${host} ${port}`

const listen = ({ address, port }: Binding): Effect.Effect<Server, SocketUnavailable> =>
  Effect.async((resume) => {
    const server = createServer({ keepAlive: true, noDelay: true })
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
 * scope closes. A connection that breaks is opened again by the next message to its peer.
 */
export const openTcpConnections = (
  binding: Binding,
  receive: (received: Received) => void,
  limits: TcpLimits = tcpLimits
): Effect.Effect<TcpConnections, SocketUnavailable, Scope.Scope> =>
  Effect.gen(function*() {
    const connections = new Map<string, Connection>()
    /** Connections that we opened, by host and port of the peer. */
    const opened = new Map<string, Connection>()
    const acceptedOf = new Map<string, number>()
    let accepted = 0
    let ids = 0

    const server = yield* Effect.acquireRelease(listen(binding), (server) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const { socket } of connections.values()) socket.destroy()
      }))

    /** Breaks a connection whose peer does not read what it is sent. */
    const limitWaiting = (socket: Socket): void => {
      if (socket.writableLength > limits.waitingBytes) socket.destroy()
    }

    const keep = (socket: Socket, peer: Connection["peer"]): Connection => {
      const connection: Connection = { id: String(++ids), socket, peer, waiting: new Set() }
      connections.set(connection.id, connection)
      const framer = makeMessageFramer()
      socket.on("data", (chunk) => {
        let pings = 0
        for (const framed of framer.push(chunk)) {
          if (framed._tag === "Ping") pings += 1
          else if (framed._tag === "Broken") socket.destroy()
          else if (framed._tag !== "Pong") {
            const message = framed._tag === "Message" ? Either.right(framed.message) : Either.left(framed.error)
            receive({ message, source: { protocol: "tcp", ...peer, connection: connection.id } })
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
        if (opened.get(peerKey(peer)) === connection) opened.delete(peerKey(peer))
        const failures = [...connection.waiting]
        connection.waiting.clear()
        failures.forEach((failed) => failed(reason))
      })
      return connection
    }

    const open = (peer: Connection["peer"]): Connection => {
      const socket = connect({
        ...peer,
        // The port of the listener stays free for a peer that connects to it at the same moment.
        ...(isIP(binding.address) !== 0 && !/^(?:0\.0\.0\.0|::)$/.test(binding.address) && {
          localAddress: binding.address
        }),
        keepAlive: true,
        noDelay: true
      })
      const connection = keep(socket, peer)
      opened.set(peerKey(peer), connection)
      const connecting = setTimeout(() => socket.destroy(new Error("timeout")), limits.connectMillis)
      const pinging = setInterval(() => socket.readyState === "open" && socket.write(ping), limits.keepAliveMillis)
      socket.once("connect", () => clearTimeout(connecting))
      socket.once("close", () => {
        clearTimeout(connecting)
        clearInterval(pinging)
      })
      return connection
    }

    server.on("connection", (socket) => {
      const peer = { host: plainAddress(socket.remoteAddress ?? ""), port: socket.remotePort ?? 0 }
      const ofAddress = acceptedOf.get(peer.host) ?? 0
      if (accepted >= limits.accepted || ofAddress >= limits.acceptedOfAddress) {
        socket.destroy()
        return
      }
      accepted += 1
      acceptedOf.set(peer.host, ofAddress + 1)
      socket.setTimeout(limits.firstBytesMillis, () => socket.destroy())
      socket.once("close", () => {
        accepted -= 1
        const left = (acceptedOf.get(peer.host) ?? 1) - 1
        if (left <= 0) acceptedOf.delete(peer.host)
        else acceptedOf.set(peer.host, left)
      })
      socket.once("data", () => socket.setTimeout(limits.idleMillis))
      keep(socket, peer)
    })

    const address = server.address()
    return {
      port: typeof address === "object" && address !== null ? address.port : binding.port,
      send: (bytes, { connection, host, port }, failed) => {
        const peer = { host, port }
        const known = (connection === undefined ? undefined : connections.get(connection)) ?? opened.get(peerKey(peer))
        const { socket, waiting } = known ?? open(peer)
        waiting.add(failed)
        socket.write(bytes, (error) => {
          if (error == null) waiting.delete(failed)
        })
        limitWaiting(socket)
      }
    }
  })
