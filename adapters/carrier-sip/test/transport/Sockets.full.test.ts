import { assert, describe, it } from "@effect/vitest"
import type { Received, SipAddress, TransportProtocol } from "@trunkline/sip"
import { sipTransportLaws } from "@trunkline/sip/testing"
import { Effect, Queue } from "effect"
import { connect } from "node:net"
import { freePort } from "../../src/testing/PeerProcess.js"
import { openSipSockets, type SipSockets } from "../../src/transport/SipSockets.js"

const loopback = (address: string, port: number, protocol: TransportProtocol): SipAddress => ({
  protocol,
  host: address,
  port
})

for (const address of ["127.0.0.1", "::1"]) {
  sipTransportLaws(
    `sockets at ${address}`,
    Effect.gen(function*() {
      const left = yield* openSipSockets({ address, port: 0 })
      const right = yield* openSipSockets({ address, port: 0 })
      return {
        left,
        right,
        addressOfRight: (protocol: TransportProtocol) => loopback(address, right.port, protocol),
        dead: loopback(address, yield* freePort(), "tcp")
      }
    }),
    (name, effect) => it.scopedLive(name, effect)
  )
}

const message = (body = "") =>
  new TextEncoder().encode(
    `OPTIONS sip:a@example.org SIP/2.0\r\nVia: SIP/2.0/TCP a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )

const inbox = (sockets: SipSockets) =>
  Effect.gen(function*() {
    const messages = yield* Queue.unbounded<Received>()
    yield* sockets.listen((received) => void messages.unsafeOffer(received))
    return messages
  })

/** A bare TCP client: bytes that it has received, and its end. */
const client = (port: number) =>
  Effect.gen(function*() {
    const socket = yield* Effect.acquireRelease(
      Effect.sync(() => connect({ host: "127.0.0.1", port })),
      (socket) => Effect.sync(() => socket.destroy())
    )
    const bytes = yield* Queue.unbounded<string>()
    const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()))
    socket.on("data", (data) => void bytes.unsafeOffer(String(data)))
    socket.on("error", () => {})
    return { socket, bytes, closed: Effect.promise(() => closed) }
  })

describe("TCP connections", () => {
  it.scopedLive("answer keep-alives, and end when a message has no end", () =>
    Effect.gen(function*() {
      const sockets = yield* openSipSockets({ address: "127.0.0.1", port: 0 })
      const { bytes, closed, socket } = yield* client(sockets.port)
      socket.write("\r\n\r\n")
      assert.strictEqual(yield* Queue.take(bytes), "\r\n")
      socket.write("OPTIONS sip:a@example.org SIP/2.0\r\nVia: SIP/2.0/TCP a\r\n\r\n")
      yield* closed
    }))

  it.scopedLive("end without a message, and beyond the number that an address may have", () =>
    Effect.gen(function*() {
      const sockets = yield* openSipSockets({
        address: "127.0.0.1",
        port: 0,
        limits: { firstBytesMillis: 100, acceptedOfAddress: 1 }
      })
      const first = yield* client(sockets.port)
      const second = yield* client(sockets.port)
      yield* second.closed
      yield* first.closed
      const third = yield* client(sockets.port)
      const messages = yield* inbox(sockets)
      third.socket.write(message())
      assert.strictEqual((yield* Queue.take(messages)).source.protocol, "tcp")
    }))

  it.scopedLive("are opened again when they have broken", () =>
    Effect.gen(function*() {
      const left = yield* openSipSockets({ address: "127.0.0.1", port: 0 })
      const right = yield* openSipSockets({ address: "127.0.0.1", port: 0, limits: { idleMillis: 50 } })
      const messages = yield* inbox(right)
      const send = left.send.bind(left, message(), loopback("127.0.0.1", right.port, "tcp"), () => {})
      send()
      const before = yield* Queue.take(messages)
      yield* Effect.sleep("200 millis")
      send()
      const after = yield* Queue.take(messages)
      assert.notStrictEqual(after.source.connection, before.source.connection)
    }))

  it.scopedLive("do not keep what a peer does not read", () =>
    Effect.gen(function*() {
      const sockets = yield* openSipSockets({ address: "127.0.0.1", port: 0, limits: { waitingBytes: 300_000 } })
      const messages = yield* inbox(sockets)
      const { closed, socket } = yield* client(sockets.port)
      socket.pause()
      socket.write(message())
      const { source } = yield* Queue.take(messages)
      let failures = 0
      for (let count = 0; count < 2_000 && failures === 0; count++) {
        sockets.send(message("x".repeat(60_000)), source, () => failures += 1)
        yield* Effect.yieldNow()
      }
      socket.resume()
      yield* closed
      yield* Effect.sleep("10 millis")
      assert.isAbove(failures, 0)
    }))

  it.scopedLive("do not keep answers to keep-alives that a peer does not read", () =>
    Effect.gen(function*() {
      const sockets = yield* openSipSockets({ address: "127.0.0.1", port: 0, limits: { waitingBytes: 100_000 } })
      const { closed, socket } = yield* client(sockets.port)
      socket.pause()
      const pings = Buffer.from("\r\n\r\n".repeat(16_384))
      let isClosed = false
      yield* Effect.forkScoped(Effect.map(closed, () => isClosed = true))
      for (let count = 0; count < 400 && !isClosed; count++) {
        yield* Effect.async<void>((resume) => void socket.write(pings, () => resume(Effect.void)))
      }
      socket.resume()
      yield* Effect.timeout(closed, "5 seconds")
    }))

  it.scopedLive("close with their scope", () =>
    Effect.gen(function*() {
      const { closed } = yield* Effect.scoped(Effect.gen(function*() {
        const sockets = yield* openSipSockets({ address: "127.0.0.1", port: 0 })
        const opened = yield* Effect.sync(() => connect({ host: "127.0.0.1", port: sockets.port }))
        opened.on("error", () => {})
        yield* Effect.sleep("20 millis")
        return {
          closed: Effect.promise(() => new Promise<void>((resolve) => void opened.once("close", () => resolve())))
        }
      }))
      yield* closed
    }))
})

describe("sockets", () => {
  it.scopedLive("say which address cannot be used", () =>
    Effect.gen(function*() {
      const { port } = yield* openSipSockets({ address: "127.0.0.1", port: 0 })
      const failure = yield* Effect.flip(openSipSockets({ address: "127.0.0.1", port }))
      assert.strictEqual(failure.message, `127.0.0.1, port ${port} cannot be used for SIP: EADDRINUSE`)
      const foreign = yield* Effect.flip(openSipSockets({ address: "192.0.2.1", port: 0 }))
      assert.strictEqual(foreign.code, "EADDRNOTAVAIL")
    }))

  it.scopedLive("bound to all addresses are reached at the nearest one, or from outside at the advertised one", () =>
    Effect.gen(function*() {
      const { local, port } = yield* openSipSockets({ address: "0.0.0.0", port: 0, advertised: "203.0.113.9" })
      assert.deepStrictEqual(local(loopback("127.0.0.7", 5060, "udp")), { host: "127.0.0.1", port })
      assert.deepStrictEqual(local(loopback("198.51.100.7", 5060, "udp")), { host: "203.0.113.9", port })
    }))
})
