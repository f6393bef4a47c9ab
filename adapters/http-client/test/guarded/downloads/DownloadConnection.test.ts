import { assert, describe, it } from "@effect/vitest"
import { GuardedHttp } from "@trunkline/http-client/guarded"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { gzipSync } from "node:zlib"
import { httpServer, local } from "../LocalServer.js"
import { fetchWith } from "./DownloadFixtures.js"

describe("a download's connection", () => {
  it.scopedLive.each(["head", "body"])(
    "closes when the download is interrupted while waiting for the %s",
    (part) =>
      Effect.gen(function*() {
        const waiting = yield* Deferred.make<void>()
        const closed = yield* Deferred.make<void>()
        const port = yield* httpServer((request, response) => {
          request.socket.on("close", () => Deferred.unsafeDone(closed, Effect.void))
          if (part === "body") response.write("abc")
          else Deferred.unsafeDone(waiting, Effect.void)
        })
        const http = yield* GuardedHttp
        const download = yield* Effect.fork(
          Stream.runForEach(http.get({ url: `http://127.0.0.1:${port}/` }), () => Deferred.succeed(waiting, void 0))
        )
        yield* Deferred.await(waiting)
        yield* Fiber.interrupt(download)
        yield* Deferred.await(closed)
      }).pipe(fetchWith(local))
  )

  it.scopedLive("closes when the consumer stops early", () =>
    Effect.gen(function*() {
      const closed = yield* Deferred.make<void>()
      const port = yield* httpServer((request, response) => {
        request.socket.on("close", () => Deferred.unsafeDone(closed, Effect.void))
        response.writeHead(200).write("abc")
      })
      const http = yield* GuardedHttp
      yield* Stream.runDrain(Stream.take(http.get({ url: `http://127.0.0.1:${port}/` }), 1))
      yield* Deferred.await(closed)
    }).pipe(fetchWith(local)))

  it.scopedLive("skips informational responses that nobody asked for", () =>
    Effect.gen(function*() {
      const port = yield* httpServer((_, response) => {
        response.writeContinue()
        response.writeEarlyHints({ link: "</a.css>; rel=preload" })
        response.writeContinue()
        response.end("a file")
      })
      const http = yield* GuardedHttp
      const pieces = yield* Stream.runCollect(http.get({ url: `http://127.0.0.1:${port}/` }))
      assert.strictEqual(Buffer.concat(Array.from(pieces)).toString(), "a file")
    }).pipe(fetchWith(local)))

  it.scopedLive("does not affect other connections when it breaks", () =>
    Effect.gen(function*() {
      const body = randomBytes(300_000)
      const port = yield* httpServer((request, response) => {
        const zipped = request.url === "/zipped"
        response.writeHead(200, zipped ? { "content-encoding": "gzip" } : {}).end(zipped ? gzipSync(body) : body)
      })
      const http = yield* GuardedHttp
      const fetched = (path: string) => Stream.runDrain(http.get({ url: `http://127.0.0.1:${port}/${path}` }))
      yield* Effect.forEach(
        Array.from({ length: 60 }, (_, at) => at),
        (at) =>
          Effect.gen(function*() {
            const download = yield* Effect.fork(fetched(at % 2 === 0 ? "plain" : "zipped"))
            yield* Effect.repeatN(Effect.yieldNow(), at * 2)
            yield* Fiber.interrupt(download)
          }),
        { concurrency: 4 }
      )
      yield* fetched("zipped")
    }).pipe(fetchWith(local)))

  it.scopedLive("transfers a large file", () =>
    Effect.gen(function*() {
      const part = randomBytes(1024 * 1024)
      const hash = createHash("sha256")
      for (let n = 0; n < 8; n++) hash.update(part)
      const port = yield* httpServer((_, response) => {
        let remaining = 8
        const more = () => {
          while (remaining-- > 0) if (!response.write(part)) return
          response.end()
        }
        response.on("drain", more)
        more()
      })
      const http = yield* GuardedHttp
      const received = createHash("sha256")
      yield* Stream.runForEach(http.get({ url: `http://127.0.0.1:${port}/` }), (piece) =>
        Effect.sync(() => received.update(piece)))
      assert.strictEqual(received.digest("hex"), hash.digest("hex"))
    }).pipe(fetchWith(local)))

  it.scopedLive("applies back-pressure", () =>
    Effect.gen(function*() {
      let reads = 0
      const port = yield* httpServer((_, response) => {
        const part = new Uint8Array(256 * 1024)
        const more = () => {
          if (reads < 200) {
            response.write(part, () => {
              reads++
              more()
            })
          } else response.end()
        }
        more()
      })
      const http = yield* GuardedHttp
      const pull = yield* Stream.toPull(http.get({ url: `http://127.0.0.1:${port}/` }))
      yield* pull
      let before = -1
      yield* Effect.repeat(Effect.sleep("30 millis"), {
        until: () => {
          const still = reads === before
          before = reads
          return still
        }
      })
      assert.isBelow(reads, 100)
    }).pipe(fetchWith(local)))
})
