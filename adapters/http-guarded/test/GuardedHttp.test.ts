import { assert, describe, it } from "@effect/vitest"
import { GuardedHttp, type GuardOptions, type HostAddress, HttpSenderGuarded } from "@trunkline/http-guarded"
import { HttpSender } from "@trunkline/webhooks"
import { Chunk, Duration, Effect, Stream } from "effect"
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
      const seen: Array<unknown> = []
      const port = yield* httpServer(async (request, response) => {
        seen.push([
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
      assert.deepStrictEqual(seen, [[
        "POST",
        "/hook?a=1",
        `127.0.0.1:${port}`,
        "application/json",
        "{\"hello\":\"world\"}"
      ]])
    }).pipe(sendWith(local)))

  it.scopedLive("refuses the same server otherwise, by address and by name, before connecting", () =>
    Effect.gen(function*() {
      let connections = 0
      const port = yield* listening(createTcpServer(() => void connections++))
      for (const host of ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "[::1]", "0.0.0.0"]) {
        const failure = yield* Effect.flip(post(`http://${host}:${port}/`))
        assert.strictEqual(failure.reason, "the host is not on the public internet", host)
      }
      assert.strictEqual(connections, 0)
    }).pipe(sendWith({ allowInsecureUrls: true })))

  it.effect("refuses a name when any one of its addresses is not public", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(post("https://mixed.example/"))
      assert.strictEqual(failure.reason, "the host is not on the public internet")
    }).pipe(sendWith({ lookup: async () => addresses("93.184.215.14", "2606:4700::1111", "10.0.0.7") })))

  it.effect("refuses a name that has no address", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(post("https://none.example/"))
      assert.strictEqual(failure.reason, "the host is not on the public internet")
    }).pipe(sendWith({ lookup: async () => [] })))

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

  it.scopedLive("a redirect is an answer, and nobody follows it", () =>
    Effect.gen(function*() {
      let requests = 0
      const port = yield* httpServer((_, response) => {
        requests++
        response.writeHead(307, { location: "/elsewhere" }).end()
      })
      assert.strictEqual((yield* post(`http://127.0.0.1:${port}/`)).status, 307)
      assert.strictEqual(requests, 1)
    }).pipe(sendWith(local)))

  it.scopedLive("cuts an answer that does not end", () =>
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

  it.scopedLive("gives up when no answer comes, or it does not end, in time", () =>
    Effect.gen(function*() {
      const silent = yield* httpServer(() => {})
      const endless = yield* httpServer((_, response) => void response.writeHead(200).write("a"))
      for (const port of [silent, endless]) {
        const failure = yield* Effect.flip(post(`http://127.0.0.1:${port}/`, "100 millis"))
        assert.strictEqual(failure.reason, "no complete answer in time")
      }
    }).pipe(sendWith(local)))

  it.effect.each(
    [
      ["http://93.184.215.14/secret", "refused URL: Should be an absolute https URL"],
      ["ftp://93.184.215.14/secret", "refused URL: Should be an absolute https URL"],
      ["/secret", "refused URL: Should be an absolute https URL"],
      ["https://me:secret@93.184.215.14/", "refused URL: Should not hold a user name or password"],
      ["https://93.184.215.14:25/secret", "refused URL: Should have a port for HTTP"],
      ["https://93.184.215.14:6667/secret", "refused URL: Should have a port for HTTP"],
      ["https://127.0.0.1/secret", "the host is not on the public internet"]
    ] as const
  )("refuses %s without repeating it", ([url, reason]) =>
    Effect.gen(function*() {
      assert.strictEqual((yield* Effect.flip(post(url))).reason, reason)
    }).pipe(sendWith({})))
})

const get = (request: Parameters<typeof GuardedHttp.Service["get"]>[0]) =>
  Effect.flatMap(GuardedHttp, ({ get }) => Stream.runCollect(get(request))).pipe(
    Effect.map((pieces) => Buffer.concat(Chunk.toReadonlyArray(pieces)).toString())
  )

const fetchWith = (options: GuardOptions) => Effect.provide(GuardedHttp.layer(options))

describe("GuardedHttp.get", () => {
  it.scopedLive("streams a body, following redirects", () =>
    Effect.gen(function*() {
      const port = yield* httpServer((request, response) => {
        if (request.url === "/file") {
          response.write("one,")
          response.end("two")
        } else response.writeHead(302, { location: "/file" }).end()
      })
      assert.strictEqual(yield* get({ url: `http://127.0.0.1:${port}/` }), "one,two")
    }).pipe(fetchWith(local)))

  it.scopedLive("checks the target of a redirect like the first URL", () =>
    Effect.gen(function*() {
      let reached = 0
      const inner = yield* httpServer((_, response) => {
        reached++
        response.end("inner")
      })
      const outer = yield* httpServer((request, response) => {
        const location = request.url === "/file" ? "file:///etc/passwd" : `http://user:pw@127.0.0.1:${inner}/`
        response.writeHead(302, { location }).end()
      })
      for (const path of ["file", "inner"]) {
        assert.strictEqual((yield* Effect.flip(get({ url: `http://127.0.0.1:${outer}/${path}` }))).kind, "refused")
      }
      assert.strictEqual(reached, 0)
    }).pipe(fetchWith(local)))

  it.scopedLive("stops at the fourth redirect", () =>
    Effect.gen(function*() {
      let requests = 0
      const port = yield* httpServer((_, response) => {
        requests++
        response.writeHead(301, { location: "/again" }).end()
      })
      assert.strictEqual((yield* Effect.flip(get({ url: `http://127.0.0.1:${port}/` }))).kind, "refused")
      assert.strictEqual(requests, 4)
    }).pipe(fetchWith(local)))

  it.scopedLive("refuses a body that is too large, announced or not", () =>
    Effect.gen(function*() {
      const port = yield* httpServer((request, response) => {
        if (request.url === "/announced") response.setHeader("content-length", 11)
        response.write("12345")
        response.end("678901")
      })
      for (const path of ["announced", "chunked"]) {
        const url = `http://127.0.0.1:${port}/${path}`
        assert.strictEqual((yield* Effect.flip(get({ url, maxBytes: 10 }))).kind, "too_large")
        assert.strictEqual(yield* get({ url, maxBytes: 11 }), "12345678901")
      }
    }).pipe(fetchWith(local)))

  it.scopedLive("gives up on an answer that never begins, a body that stalls, and one that only trickles", () =>
    Effect.gen(function*() {
      const port = yield* httpServer((request, response) => {
        if (request.url !== "/silent") response.write("a")
        if (request.url === "/trickle") {
          const timer = setInterval(() => response.write("a"), 10)
          response.on("close", () => clearInterval(timer))
        }
      })
      const base = `http://127.0.0.1:${port}`
      for (const path of ["silent", "stall"]) {
        const stalled = yield* Effect.flip(get({ url: `${base}/${path}`, idleTime: Duration.millis(100) }))
        assert.strictEqual(stalled.kind, "too_slow")
      }
      const trickling = yield* Effect.flip(get({ url: `${base}/trickle`, totalTime: Duration.millis(150) }))
      assert.strictEqual(trickling.kind, "too_slow")
    }).pipe(fetchWith(local)))

  it.scopedLive("tells a refusal by the server, a compressed body and a broken one apart", () =>
    Effect.gen(function*() {
      const port = yield* httpServer((request, response) => {
        if (request.url === "/status") response.writeHead(403).end("no")
        if (request.url === "/gzip") response.writeHead(200, { "content-encoding": "gzip" }).end("zzz")
        if (request.url === "/broken") {
          response.writeHead(200, { "content-length": 10 }).write("abc", () => response.destroy())
        }
      })
      const kinds = yield* Effect.forEach(
        ["status", "gzip", "broken"],
        (path) => Effect.map(Effect.flip(get({ url: `http://127.0.0.1:${port}/${path}` })), ({ kind }) => kind)
      )
      assert.deepStrictEqual(kinds, ["status", "refused", "network"])
    }).pipe(fetchWith(local)))

  it.effect("refuses a private host", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* Effect.flip(get({ url: "https://169.254.169.254/latest/meta-data" }))).kind, "refused")
    }).pipe(fetchWith({})))
})
