import { listening } from "@trunkline/http-client/testing"
import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { type RawData, WebSocket, WebSocketServer } from "ws"

/** A message of the client: text, or sound. */
export type ClientMessage = string | Buffer

/** A connection of the client. */
export interface Peer {
  readonly request: IncomingMessage
  /** Messages in order. */
  readonly messages: ReadonlyArray<ClientMessage>
  readonly send: (message: string) => void
  readonly close: (code: number, reason?: string) => void
  /** Drops the connection. */
  readonly cut: () => void
  /** Stops reading. */
  readonly stall: () => void
  /** Resumes reading. */
  readonly resume: () => void
  readonly isClosed: () => boolean
}

/** Handler of the messages of one connection; the next message waits for its promise. */
export type Protocol = (peer: Peer) => (message: ClientMessage) => Promise<void> | void

/** Response to a handshake instead of an upgrade: a status with headers and a body, or none at all. */
export type HandshakeRefusal = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
} | "hang"

/** Streaming speech-to-text server for tests. */
export interface SpeechServer {
  readonly url: string
  readonly peers: ReadonlyArray<Peer>
  /** Handshakes so far, refused ones included. */
  readonly handshakes: () => number
  /** Connections open now. */
  readonly open: () => number
  /** Replaces the protocol for the connections to come. */
  readonly speak: (protocol: Protocol) => void
  /** Refuses the handshakes to come. */
  readonly refuse: (refusal: HandshakeRefusal) => void
}

/** The text of a text message; sound stays bytes. */
const messageOf = (data: RawData, isBinary: boolean): ClientMessage => {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data
  return isBinary ? bytes : bytes.toString()
}

const peerOf = (ws: WebSocket, request: IncomingMessage, messages: ReadonlyArray<ClientMessage>): Peer => ({
  request,
  messages,
  send: (message) => ws.readyState === WebSocket.OPEN && ws.send(message),
  close: (code, reason) => ws.close(code, reason),
  cut: () => ws.terminate(),
  stall: () => ws.pause(),
  resume: () => ws.resume(),
  isClosed: () => ws.readyState === WebSocket.CLOSED
})

const refuseWith = (socket: Duplex, refusal: HandshakeRefusal) => {
  // Reads on, since a socket that is not read does not notice its end.
  if (refusal === "hang") return void socket.once("end", () => socket.end()).resume()
  const headers = Object.entries(refusal.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`).join("")
  const { body = "", status } = refusal
  const length = Buffer.byteLength(body)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}content-length: ${length}\r\n\r\n${body}`)
}

/** Starts a server on the loopback address that speaks a protocol until the scope closes. */
export const speechServer = (initial: Protocol): Effect.Effect<SpeechServer, never, Scope.Scope> =>
  Effect.gen(function*() {
    const peers: Array<Peer> = []
    const sockets = new Set<Duplex>()
    let handshakes = 0
    let protocol = initial
    let refusal: HandshakeRefusal | null = null
    const upgrader = new WebSocketServer({ noServer: true })

    const server = createServer().on("upgrade", (request, socket, head) => {
      handshakes += 1
      sockets.add(socket)
      socket.on("error", () => {}).once("close", () => sockets.delete(socket))
      if (refusal !== null) return refuseWith(socket, refusal)
      upgrader.handleUpgrade(request, socket, head, (ws) => {
        const messages: Array<ClientMessage> = []
        const peer = peerOf(ws.on("error", () => {}), request, messages)
        const handle = protocol(peer)
        let before = Promise.resolve()
        ws.on("message", (data, isBinary) => {
          const message = messageOf(data, isBinary)
          messages.push(message)
          before = before.then(() => handle(message))
        })
        peers.push(peer)
      })
    })

    const port = yield* listening(server)
    yield* Effect.addFinalizer(() => Effect.sync(() => sockets.forEach((socket) => socket.destroy())))
    return {
      url: `ws://127.0.0.1:${port}/`,
      peers,
      handshakes: () => handshakes,
      open: () => sockets.size,
      speak: (next) => {
        protocol = next
      },
      refuse: (next) => {
        refusal = next
      }
    }
  })
