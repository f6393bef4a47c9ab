import { isKeepAlive, parseMessage, type Received, type SipAddress } from "@trunkline/sip"
import { Data, Effect, type Scope } from "effect"
import { createSocket } from "node:dgram"
import { isIP } from "node:net"
import { plainAddress } from "./LocalAddresses.js"

/** The local address or port of a line cannot be used. */
export class SocketUnavailable extends Data.TaggedError("SocketUnavailable")<{
  readonly address: string
  readonly port: number
  /** Code of the operating system, such as `EADDRINUSE`. */
  readonly code: string
}> {
  override get message() {
    return `${this.address}, port ${this.port} cannot be used for SIP: ${this.code}`
  }
}

/** The code of an error of the operating system. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown error"

/** Where a socket listens. */
export interface Binding {
  /** IP literal of this machine; `0.0.0.0` or `::` for all of its addresses. */
  readonly address: string
  /** 0 for any free port. */
  readonly port: number
}

/** Bytes that wait in the system for the main loop: about 1,000 messages. */
const bufferBytes = 1024 * 1024

/** Datagrams of SIP at one address. */
export interface UdpSocket {
  readonly port: number
  readonly send: (bytes: Uint8Array, to: SipAddress, onFailure: (reason: string) => void) => void
}

/** Binds a socket and gives every datagram but keep-alives to `receive`, until the scope closes. */
export const openUdpSocket = (
  { address, port }: Binding,
  receive: (arrival: Received) => void
): Effect.Effect<UdpSocket, SocketUnavailable, Scope.Scope> => {
  const isV6 = isIP(address) === 6
  const open = Effect.async<ReturnType<typeof createSocket>, SocketUnavailable>((resume) => {
    const socket = createSocket({
      type: isV6 ? "udp6" : "udp4",
      recvBufferSize: bufferBytes,
      sendBufferSize: bufferBytes
    })
    socket.once(
      "error",
      (error) => resume(Effect.fail(new SocketUnavailable({ address, port, code: errorCode(error) })))
    )
    socket.bind({ address, port, exclusive: true }, () => {
      socket.removeAllListeners("error")
      // Later errors concern one datagram, whose sender is told by its own callback.
      socket.on("error", () => {})
      resume(Effect.succeed(socket))
    })
  })
  const close = (socket: ReturnType<typeof createSocket>) =>
    Effect.async<void>((resume) => void socket.close(() => resume(Effect.void)))
  return Effect.map(Effect.acquireRelease(open, close), (socket) => {
    socket.on("message", (bytes, { address: host, port }) => {
      if (isKeepAlive(bytes)) return
      receive({ message: parseMessage(bytes), source: { protocol: "udp", host: plainAddress(host), port } })
    })
    return {
      port: socket.address().port,
      send: (bytes, { host, port }, onFailure) => {
        const isMapped = isV6 && isIP(host) === 4
        try {
          socket.send(bytes, port, isMapped ? `::ffff:${host}` : host, (error) => {
            if (error !== null) onFailure(errorCode(error))
          })
        } catch (error) {
          queueMicrotask(() => onFailure(errorCode(error)))
        }
      }
    }
  })
}
