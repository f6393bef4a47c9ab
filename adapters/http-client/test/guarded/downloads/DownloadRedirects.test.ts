import { assert, describe, it } from "@effect/vitest"
import { GuardedHttp } from "@trunkline/http-client/guarded"
import { Deferred, Effect, Stream } from "effect"
import { randomBytes } from "node:crypto"
import { gzipSync } from "node:zlib"
import { httpServer, local } from "../LocalServer.js"
import { failureOf, fetchWith, get } from "./DownloadFixtures.js"

const notFollowed = ["refused", "the response is a redirect, which is not followed"] as const

describe("a download's redirects", () => {
  it.scopedLive.each([301, 302, 303, 307, 308])("follow status %i", (status) =>
    Effect.gen(function*() {
      const port = yield* httpServer((request, response) => {
        if (request.url === "/file?a=1") {
          response.write("one,")
          response.end("two")
        } else response.writeHead(status, { location: "/file?a=1" }).end("elsewhere")
      })
      assert.strictEqual(yield* get({ url: `http://127.0.0.1:${port}/` }), "one,two")
    }).pipe(fetchWith(local)))

  it.scopedLive.each([300, 304, 305, 306])("do not follow status %i", (status) =>
    Effect.gen(function*() {
      const port = yield* httpServer((_, response) => void response.writeHead(status, { location: "/file" }).end())
      assert.deepStrictEqual(yield* failureOf({ url: `http://127.0.0.1:${port}/` }), ["status", `HTTP ${status}`])
    }).pipe(fetchWith(local)))

  it.scopedLive.each(["", "http://[", "https://256.0.0.1/"])(
    "need a valid location: %j",
    (location) =>
      Effect.gen(function*() {
        const port = yield* httpServer((_, response) => void response.writeHead(302, { location }).end())
        assert.deepStrictEqual(yield* failureOf({ url: `http://127.0.0.1:${port}/` }), ["status", "HTTP 302"])
      }).pipe(fetchWith(local))
  )

  it.scopedLive("are checked like the first URL", () =>
    Effect.gen(function*() {
      let reached = 0
      const inner = yield* httpServer((_, response) => {
        reached++
        response.end("inner")
      })
      const locations = ["file:///etc/passwd", `http://user:pw@127.0.0.1:${inner}/`, `//me@127.0.0.1:${inner}/`]
      const outer = yield* httpServer((request, response) => {
        response.writeHead(302, { location: locations[Number(request.url?.slice(1))] }).end()
      })
      for (const at of locations.keys()) {
        assert.strictEqual((yield* failureOf({ url: `http://127.0.0.1:${outer}/${at}` }))[0], "refused")
      }
      assert.strictEqual(reached, 0)
    }).pipe(fetchWith(local)))

  it.scopedLive("are limited to three by default, and can be disabled", () =>
    Effect.gen(function*() {
      let requests = 0
      const port = yield* httpServer((_, response) => {
        requests++
        response.writeHead(301, { location: "/again" }).end()
      })
      const url = `http://127.0.0.1:${port}/`
      assert.deepStrictEqual(yield* failureOf({ url }), notFollowed)
      assert.strictEqual(requests, 4)
      assert.deepStrictEqual(yield* failureOf({ url, maxRedirects: 0 }), notFollowed)
      assert.strictEqual(requests, 5)
    }).pipe(fetchWith(local)))

  it.scopedLive("drop the caller's headers after leaving the first origin", () =>
    Effect.gen(function*() {
      const requests: Array<readonly [path: string | undefined, authorization: string | undefined]> = []
      let away = ""
      const home = yield* httpServer((request, response) => {
        requests.push([request.url, request.headers.authorization])
        if (request.url === "/back") response.end("file")
        else response.writeHead(302, { location: request.url === "/" ? "/near" : away }).end()
      })
      const other = yield* httpServer((request, response) => {
        requests.push([request.url, request.headers.authorization])
        response.writeHead(302, { location: `http://127.0.0.1:${home}/back` }).end()
      })
      away = `http://127.0.0.1:${other}/away`
      yield* get({ url: `http://127.0.0.1:${home}/`, headers: { authorization: "Bearer me" } })
      assert.deepStrictEqual(requests, [
        ["/", "Bearer me"],
        ["/near", "Bearer me"],
        ["/away", undefined],
        ["/back", undefined]
      ])
    }).pipe(fetchWith(local)))

  it.scopedLive("leave no connection open, for any length of their body", () =>
    Effect.gen(function*() {
      const closed = yield* Deferred.make<void>()
      const port = yield* httpServer((request, response) => {
        if (request.url === "/file") return void response.end("file")
        request.socket.on("close", () => Deferred.unsafeDone(closed, Effect.void))
        response.writeHead(302, { location: "/file" }).write("this body never ends")
      })
      const http = yield* GuardedHttp
      const pull = yield* Stream.toPull(http.get({ url: `http://127.0.0.1:${port}/` }))
      yield* pull
      yield* Deferred.await(closed)
    }).pipe(fetchWith(local)))
})

describe("a download's size", () => {
  it.scopedLive("is rejected above the limit, declared or not", () =>
    Effect.gen(function*() {
      const port = yield* httpServer((request, response) => {
        if (request.url === "/announced") response.setHeader("content-length", 11)
        response.write("12345")
        response.end("678901")
      })
      for (const path of ["announced", "chunked"]) {
        const url = `http://127.0.0.1:${port}/${path}`
        assert.deepStrictEqual(yield* failureOf({ url, maxBytes: 10 }), ["too_large", "more than 10 bytes"])
        assert.strictEqual(yield* get({ url, maxBytes: 11 }), "12345678901")
      }
    }).pipe(fetchWith(local)))

  it.scopedLive("is measured after decompression, while streaming", () =>
    Effect.gen(function*() {
      const text = randomBytes(3000).toString("hex")
      const port = yield* httpServer((_, response) => {
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(text))
      })
      const url = `http://127.0.0.1:${port}/`
      assert.strictEqual(yield* get({ url, maxBytes: 6000 }), text)
      assert.deepStrictEqual(yield* failureOf({ url, maxBytes: 5999 }), ["too_large", "more than 5999 bytes"])
    }).pipe(fetchWith(local)))

  it.scopedLive("ends an endless download and its connection", () =>
    Effect.gen(function*() {
      const closed = yield* Deferred.make<void>()
      const port = yield* httpServer((request, response) => {
        request.socket.on("close", () => Deferred.unsafeDone(closed, Effect.void))
        const more = () => {
          while (!response.destroyed && response.write(new Uint8Array(65_536)));
        }
        response.writeHead(200).on("drain", more)
        more()
      })
      const failure = yield* failureOf({ url: `http://127.0.0.1:${port}/`, maxBytes: 1024 * 1024 })
      assert.strictEqual(failure[0], "too_large")
      yield* Deferred.await(closed)
    }).pipe(fetchWith(local)))
})
