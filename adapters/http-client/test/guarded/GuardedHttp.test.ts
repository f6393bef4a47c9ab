import { assert, describe, it } from "@effect/vitest"
import { type GuardOptions, type HostAddress, HttpSenderGuarded } from "@trunkline/http-client/guarded"
import { HttpSender } from "@trunkline/webhooks"
import { Duration, Effect } from "effect"
import { createServer as createTcpServer } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { httpServer, listening, local, read } from "./LocalServer.js"

const body = new TextEncoder().encode(JSON.stringify({ hello: "world" }))

const post = (url: string, timeout: Duration.DurationInput = "5 seconds") =>
  Effect.flatMap(HttpSender, (sender) =>
    sender.post({
      url,
      headers: { "content-type": "application/json" },
      body,
      timeout: Duration.decode(timeout)
    }))

const sendWith = (options: GuardOptions) => Effect.provide(HttpSenderGuarded.layer(options))

const addresses = (...ips: ReadonlyArray<string>): ReadonlyArray<HostAddress> =>
  ips.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))

describe("HttpSenderGuarded", () => {
  it.scopedLive("posts to a local server when private addresses are allowed", () =>
    Effect.gen(function*() {
      const requests: Array<unknown> = []
      const port = yield* httpServer(async (request, response) => {
        requests.push([
          request.method,
          request.url,
          request.headers.host,
          request.headers["content-type"],
          String(await read(request))
        ])
        response.writeHead(202, { "retry-after": "7", "x-two": ["a", "b"] }).end("thanks")
      })
      const answer = yield* post(`http://127.0.0.1:${port}/hook?a=1`)
      assert.strictEqual(answer.status, 202)
      assert.strictEqual(answer.headers["retry-after"], "7")
      assert.strictEqual(answer.headers["x-two"], "a, b")
      assert.deepStrictEqual(requests, [[
        "POST",
        "/hook?a=1",
        `127.0.0.1:${port}`,
        "application/json",
        "{\"hello\":\"world\"}"
      ]])
    }).pipe(sendWith(local)))

  it.scopedLive("rejects the same server by default, by address and by name, before connecting", () =>
    Effect.gen(function*() {
      let connections = 0
      const port = yield* listening(createTcpServer(() => void connections++))
      const strict = sendWith({ allowInsecureUrls: true, allowedPorts: [port] })
      for (const host of ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "[::1]", "0.0.0.0"]) {
        const failure = yield* Effect.flip(strict(post(`http://${host}:${port}/`)))
        assert.strictEqual(failure.reason, "the host is not on the public internet", host)
      }
      assert.strictEqual(connections, 0)
    }))

  it.scopedLive("keeps the host name for the Host header and for TLS", () =>
    Effect.gen(function*() {
      const names: Array<string | undefined> = []
      const tls = createTlsServer({
        SNICallback: (name, done) => {
          names.push(name)
          done(new Error("no certificate"))
        }
      })
      const tlsPort = yield* listening(tls.on("tlsClientError", () => {}))
      const port = yield* httpServer((request, response) => {
        names.push(request.headers.host)
        response.end()
      })
      const failure = yield* Effect.flip(post(`https://hooks.example:${tlsPort}/`))
      yield* post(`http://hooks.example:${port}/`)
      assert.deepStrictEqual(names, ["hooks.example", `hooks.example:${port}`])
      assert.notInclude(failure.reason, "example")
    }).pipe(sendWith({ ...local, lookup: async () => addresses("127.0.0.1") })))

  it.scopedLive("returns a redirect without following it", () =>
    Effect.gen(function*() {
      let requests = 0
      const port = yield* httpServer((_, response) => {
        requests++
        response.writeHead(307, { location: "/elsewhere" }).end()
      })
      assert.strictEqual((yield* post(`http://127.0.0.1:${port}/`)).status, 307)
      assert.strictEqual(requests, 1)
    }).pipe(sendWith(local)))

  it.scopedLive("stops reading an endless response", () =>
    Effect.gen(function*() {
      const port = yield* httpServer((_, response) => {
        const more = () => {
          while (!response.destroyed && response.write(new Uint8Array(16_384)));
        }
        response.writeHead(200).on("drain", more)
        more()
      })
      assert.strictEqual((yield* post(`http://127.0.0.1:${port}/`)).status, 200)
    }).pipe(sendWith(local)))

  it.scopedLive("times out without a complete response", () =>
    Effect.gen(function*() {
      const silent = yield* httpServer(() => {})
      const endless = yield* httpServer((_, response) => void response.writeHead(200).write("a"))
      for (const port of [silent, endless]) {
        const failure = yield* Effect.flip(post(`http://127.0.0.1:${port}/`, "100 millis"))
        assert.strictEqual(failure.reason, "the response timed out")
      }
    }).pipe(sendWith(local)))
})
