import { assert, describe, it } from "@effect/vitest"
import type { Received, SipAddress, TransportProtocol } from "@trunkline/sip"
import { sipTransportLaws } from "@trunkline/sip/testing"
import { Deferred, Effect, Exit, Queue, Scope } from "effect"
import { connect } from "node:net"
import { type Authority, type CertificateFiles, makeAuthority, textsOf } from "../../src/testing/Certificates.js"
import { freePort, hasTools } from "../../src/testing/PeerProcess.js"
import { openSipSockets, type SipSockets } from "../../src/transport/SipSockets.js"
import type { TlsIdentity } from "../../src/transport/TlsStreams.js"

const address = "127.0.0.1"

const message = new TextEncoder().encode(
  "OPTIONS sip:a@example.org SIP/2.0\r\nVia: SIP/2.0/TLS a\r\nContent-Length: 0\r\n\r\n"
)

const plain: TlsIdentity = {
  ca: undefined,
  certificate: undefined,
  needsClientCertificate: false,
  extraNames: [],
  serverNames: []
}

/** Identity of a side that an authority has signed. */
const signed = (authority: Authority, files: CertificateFiles, change: Partial<TlsIdentity> = {}): TlsIdentity => ({
  ...plain,
  ...textsOf(authority, files),
  ...change
})

/** A side that only trusts an authority. */
const trusting = (authority: Authority, files: CertificateFiles, change: Partial<TlsIdentity> = {}): TlsIdentity => ({
  ...plain,
  ca: textsOf(authority, files).ca,
  ...change
})

const open = (identity: TlsIdentity, options: Partial<Parameters<typeof openSipSockets>[0]> = {}) =>
  openSipSockets({ address, port: 0, tls: { identity, port: 0 }, ...options })

const secure = ({ tlsPort }: SipSockets, serverName?: string): SipAddress => ({
  protocol: "tls",
  host: address,
  port: tlsPort() ?? 0,
  ...(serverName !== undefined && { serverName })
})

const inbox = (sockets: SipSockets) =>
  Effect.gen(function*() {
    const messages = yield* Queue.unbounded<Received>()
    yield* sockets.listen((received) => void messages.unsafeOffer(received))
    return messages
  })

/** Sends a message; completes with the code with which it failed, or with its source once it has arrived. */
const deliver = (from: SipSockets, to: SipAddress, messages: Queue.Queue<Received>) =>
  Effect.gen(function*() {
    const failure = yield* Deferred.make<string>()
    from.send(message, to, (reason) => Deferred.unsafeDone(failure, Effect.succeed(reason)))
    const arrived = Effect.map(Queue.take(messages), ({ source }) => `arrived over ${source.protocol}`)
    return yield* Effect.raceFirst(Deferred.await(failure), arrived)
  })

const hasOpenssl = hasTools("openssl")

if (hasOpenssl) {
  sipTransportLaws(
    "sockets with TLS",
    Effect.gen(function*() {
      const authority = yield* makeAuthority
      const files = authority.issue("peer", `IP:${address}`)
      const identity = signed(authority, files)
      const [left, right] = [yield* open(identity), yield* open(identity)]
      return {
        left,
        right,
        addressOfRight: (protocol: TransportProtocol) =>
          protocol === "tls" ? secure(right) : { protocol, host: address, port: right.port },
        dead: { protocol: "tls", host: address, port: yield* freePort() }
      }
    }),
    (name, effect) => it.scopedLive(name, effect),
    ["tcp", "tls"]
  )
}

describe.skipIf(!hasOpenssl)("a connection over TLS", () => {
  /** Fate of a message to a server whose certificate has these names. */
  const sentTo = (
    names: ReadonlyArray<string>,
    { change = {}, client = trusting, serverName }: {
      readonly client?: typeof trusting
      readonly change?: Partial<TlsIdentity>
      readonly serverName?: string
    }
  ) =>
    Effect.gen(function*() {
      const authority = yield* makeAuthority
      const server = yield* open(signed(authority, authority.issue("server", ...names)))
      const sender = yield* open(client(authority, authority.issue("client", "DNS:client.example"), change))
      return yield* deliver(sender, secure(server, serverName), yield* inbox(server))
    })

  it.scopedLive("needs a certificate with the name of the server", () =>
    Effect.gen(function*() {
      const name = "trunk.example"
      assert.strictEqual(yield* sentTo([`DNS:${name}`], { serverName: name }), "arrived over tls")
      const other = yield* sentTo(["DNS:other.example", `IP:${address}`], { serverName: name })
      assert.strictEqual(other, "ERR_TLS_CERT_ALTNAME_INVALID")
      const certWithName = { serverName: name, change: { extraNames: ["other.example"] } }
      assert.strictEqual(yield* sentTo(["DNS:other.example"], certWithName), "arrived over tls")
    }))

  it.scopedLive("to an address alone needs a certificate for it, or for one of the line's servers", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* sentTo([`IP:${address}`], {}), "arrived over tls")
      assert.strictEqual(yield* sentTo(["DNS:trunk.example"], {}), "ERR_TLS_CERT_ALTNAME_INVALID")
      const certOptions = { change: { serverNames: ["trunk.example"] } }
      assert.strictEqual(yield* sentTo(["DNS:trunk.example"], certOptions), "arrived over tls")
    }))

  it.scopedLive("needs a certificate of a trusted authority", () =>
    Effect.gen(function*() {
      const client = () => plain
      assert.match(yield* sentTo([`IP:${address}`], { client }), /SELF_SIGNED|UNABLE_TO/)
    }))

  it.scopedLive("needs a certificate of the client where the server asks for one", () =>
    Effect.gen(function*() {
      const [authority, stranger] = [yield* makeAuthority, yield* makeAuthority]
      const files = authority.issue("server", `IP:${address}`)
      const server = yield* open(signed(authority, files, { needsClientCertificate: true }))
      const messages = yield* inbox(server)
      const trustedClient = yield* open(signed(authority, authority.issue("client", "DNS:client.example")))
      assert.strictEqual(yield* deliver(trustedClient, secure(server), messages), "arrived over tls")
      const { certificate } = textsOf(stranger, stranger.issue("client", "DNS:client.example"))
      for (const change of [{}, { certificate }]) {
        const sender = yield* open(trusting(authority, files, change))
        const closed = yield* Deferred.make<void>()
        yield* sender.onClose?.(() => Deferred.unsafeDone(closed, Effect.void)) ?? Effect.void
        yield* Effect.raceFirst(deliver(sender, secure(server), messages), Deferred.await(closed))
        assert.strictEqual(yield* Queue.size(messages), 0)
      }
    }))

  it.scopedLive("checks the name that was asked for, whatever the records of its services say", () =>
    Effect.gen(function*() {
      const authority = yield* makeAuthority
      const files = authority.issue("server", "DNS:trunk.example")
      const server = yield* open(signed(authority, files))
      const sender = yield* open(trusting(authority, files), {
        names: {
          addresses: () => Promise.resolve([address]),
          services: (name) =>
            name === "_sips._tcp.trunk.example"
              ? Promise.resolve([{
                name: "edge7.provider.example",
                port: server.tlsPort() ?? 0,
                priority: 1,
                weight: 1
              }])
              : Promise.reject(new Error("none"))
        }
      })
      const [resolution] = yield* sender.resolve({ host: "trunk.example", protocol: "tls" })
      assert.deepStrictEqual(resolution, { ...secure(server), serverName: "trunk.example" })
      assert.strictEqual(yield* deliver(sender, resolution, yield* inbox(server)), "arrived over tls")
      const [byPort] = yield* sender.resolve({ host: "other.example", protocol: "tls" })
      assert.deepInclude(byPort, { port: 5061, serverName: "other.example" })
    }))

  it.scopedLive("that says nothing is closed, and counts until then", () =>
    Effect.gen(function*() {
      const authority = yield* makeAuthority
      const identity = signed(authority, authority.issue("server", `IP:${address}`))
      const server = yield* open(identity, { limits: { firstBytesMillis: 500, acceptedOfAddress: 2 } })
      const closings = Array.from({ length: 4 }, () => {
        const socket = connect({ host: address, port: server.tlsPort() ?? 0 }).on("error", () => {})
        return new Promise<void>((resolve) => socket.once("close", () => resolve()))
      })
      yield* Effect.promise(() => Promise.all(closings))
      const sender = yield* open(identity)
      assert.strictEqual(yield* deliver(sender, secure(server), yield* inbox(server)), "arrived over tls")
    }))

  it.scopedLive("ends with the scope, also in the middle of its handshake", () =>
    Effect.gen(function*() {
      const authority = yield* makeAuthority
      const scope = yield* Scope.make()
      const server = yield* Scope.extend(open(signed(authority, authority.issue("server", `IP:${address}`))), scope)
      const socket = connect({ host: address, port: server.tlsPort() ?? 0 }).on("error", () => {})
      yield* Effect.promise(() => new Promise<void>((resolve) => socket.once("connect", () => resolve())))
      const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
      yield* Scope.close(scope, Exit.void)
      yield* Effect.promise(() => closed)
    }))
})
