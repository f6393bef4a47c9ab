import { assert, describe, it } from "@effect/vitest"
import { GuardedHttp } from "@trunkline/http-client/guarded"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { once } from "node:events"
import { httpServer, local, rawServer, read } from "./LocalServer.js"

const post = (url: string, { headers = {}, size = 1 } = {}) =>
  Effect.flatMap(
    GuardedHttp,
    (http) => http.post({ url, headers, body: new Uint8Array(size).fill(97), timeout: Duration.seconds(5) })
  )

const provide = Effect.provide(GuardedHttp.layer(local))

describe("a POST request", () => {
  it.scopedLive("returns the final response after informational ones", () =>
    Effect.gen(function*() {
      const port = yield* httpServer((_, response) => {
        response.writeContinue()
        response.writeEarlyHints({ link: "</a.css>; rel=preload" })
        response.writeContinue()
        response.writeHead(201).end()
      })
      assert.strictEqual((yield* post(`http://127.0.0.1:${port}/`)).status, 201)
    }).pipe(provide))

  it.scopedLive("fails when informational responses never end", () =>
    Effect.gen(function*() {
      const port = yield* rawServer((socket) => {
        const send = () => socket.destroyed || socket.write("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(50), send)
        send()
      })
      const { reason } = yield* Effect.flip(post(`http://127.0.0.1:${port}/`))
      assert.strictEqual(reason, "the headers of the response are too large")
    }).pipe(provide))

  it.scopedLive("returns a response whose body breaks off", () =>
    Effect.gen(function*() {
      const port = yield* rawServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nshort"))
      assert.strictEqual((yield* post(`http://127.0.0.1:${port}/`)).status, 200)
    }).pipe(provide))

  it.scopedLive("returns a response that declares too large a body without reading it", () =>
    Effect.gen(function*() {
      const port = yield* httpServer((_, response) => {
        response.writeHead(503, { "content-length": 2 ** 40, "retry-after": "9" }).write("a")
      })
      const { headers, status } = yield* post(`http://127.0.0.1:${port}/`)
      assert.deepStrictEqual([status, headers["retry-after"]], [503, "9"])
    }).pipe(provide))

  it.scopedLive("fails when the connection ends before the response", () =>
    Effect.gen(function*() {
      const port = yield* rawServer((socket) => socket.end())
      const { reason } = yield* Effect.flip(post(`http://127.0.0.1:${port}/`))
      assert.strictEqual(reason, "the connection was closed")
    }).pipe(provide))

  it.scopedLive("fails with a header that HTTP does not allow", () =>
    Effect.gen(function*() {
      const port = yield* httpServer((_, response) => void response.end())
      const { reason } = yield* Effect.flip(post(`http://127.0.0.1:${port}/`, { headers: { "a b": "c" } }))
      assert.strictEqual(reason, "the request failed")
    }).pipe(provide))

  it.scopedLive("closes its connection when it is interrupted", () =>
    Effect.gen(function*() {
      const arrived = yield* Deferred.make<Promise<unknown>>()
      const port = yield* httpServer((request) => {
        Deferred.unsafeDone(arrived, Effect.succeed(once(request.socket, "close")))
      })
      const fiber = yield* Effect.fork(post(`http://127.0.0.1:${port}/`))
      const closed = yield* Deferred.await(arrived)
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => closed)
    }).pipe(provide))

  it.scopedLive("leaves its connection to later ones, and sends the exact bytes", () =>
    Effect.gen(function*() {
      const sockets = new Set<unknown>()
      const sizes: Array<number> = []
      const port = yield* httpServer(async (request, response) => {
        sockets.add(request.socket)
        sizes.push((await read(request)).length)
        response.writeHead(200).end("x".repeat(1_000))
      })
      const bodySizes = [0, 1, 100_000, 2, 3, 4]
      for (const size of bodySizes) yield* post(`http://127.0.0.1:${port}/`, { size })
      assert.deepStrictEqual(sizes, bodySizes)
      assert.isAtMost(sockets.size, 2)
    }).pipe(provide))
})
