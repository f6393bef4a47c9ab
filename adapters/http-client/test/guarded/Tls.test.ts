import { assert, describe, it } from "@effect/vitest"
import { GuardedHttp, type HostLookup } from "@trunkline/http-client/guarded"
import { Chunk, Effect, Stream } from "effect"
import { createServer } from "node:https"
import tls from "node:tls"
import { vi } from "vitest"
import { listening, local, rawServer } from "./LocalServer.js"
import { selfSigned } from "./SelfSigned.js"

const identity = selfSigned("files.example")

const lookup: HostLookup = async () => [{ address: "127.0.0.1", family: 4 }]

/** Trusts a certificate until the scope closes. */
const trusted = Effect.acquireRelease(
  Effect.sync(() => {
    const connect = tls.connect
    return vi.spyOn(tls, "connect").mockImplementation((...args: ReadonlyArray<unknown>) =>
      Reflect.apply(connect, tls, [Object.assign({}, args[0], { ca: identity.cert })])
    )
  }),
  (spy) => Effect.sync(() => spy.mockRestore())
)

const tlsServer = (requests: Array<unknown>) =>
  listening(createServer(identity, (request, response) => {
    requests.push([request.headers.host, request.socket instanceof tls.TLSSocket && request.socket.servername])
    response.end("phone\n")
  }))

const get = (url: string) =>
  Effect.flatMap(GuardedHttp, ({ get }) => Stream.runCollect(get({ url }))).pipe(
    Effect.map((pieces) => Buffer.concat(Chunk.toReadonlyArray(pieces)).toString())
  )

const guarded = Effect.provide(GuardedHttp.layer({ ...local, allowInsecureUrls: false, lookup }))

const insecure = ["network", "no secure connection could be established"]

const failureOf = (url: string) => Effect.map(Effect.flip(get(url)), ({ kind, reason }) => [kind, reason])

describe("GuardedHttp over TLS", () => {
  it.scopedLive("connects to the checked address with the name of the host", () =>
    Effect.gen(function*() {
      yield* trusted
      const requests: Array<unknown> = []
      const port = yield* tlsServer(requests)
      assert.strictEqual(yield* get(`https://files.example:${port}/cohort.csv`), "phone\n")
      assert.deepStrictEqual(requests, [[`files.example:${port}`, "files.example"]])
    }).pipe(guarded))

  it.scopedLive("rejects a certificate for another name or without one", () =>
    Effect.gen(function*() {
      yield* trusted
      const requests: Array<unknown> = []
      const port = yield* tlsServer(requests)
      assert.deepStrictEqual(yield* failureOf(`https://other.example:${port}/`), insecure)
      assert.deepStrictEqual(yield* failureOf(`https://127.0.0.1:${port}/`), insecure)
      assert.deepStrictEqual(requests, [])
    }).pipe(guarded))

  it.scopedLive("rejects a self-signed certificate", () =>
    Effect.gen(function*() {
      const requests: Array<unknown> = []
      const port = yield* tlsServer(requests)
      assert.deepStrictEqual(yield* failureOf(`https://files.example:${port}/`), insecure)
      assert.deepStrictEqual(requests, [])
    }).pipe(guarded))

  it.scopedLive("rejects a server that does not use TLS or hangs up", () =>
    Effect.gen(function*() {
      const plain = yield* rawServer((socket) => void socket.end("HTTP/1.1 200 OK\r\n\r\n"))
      const closing = yield* rawServer((socket) => void socket.end())
      assert.deepStrictEqual(yield* failureOf(`https://files.example:${plain}/`), insecure)
      assert.strictEqual((yield* failureOf(`https://files.example:${closing}/`))[0], "network")
    }).pipe(guarded))
})
