import { assert, describe, it } from "@effect/vitest"
import { DownloadRefused, FileDownload } from "@trunkline/cohorts"
import { FileDownloadGuarded, type GuardOptions } from "@trunkline/http-client/guarded"
import { Chunk, Deferred, Effect, Fiber, Stream, TestClock } from "effect"
import { gzipSync } from "node:zlib"
import { httpServer, local } from "../LocalServer.js"

const fetch = (url: string) =>
  Effect.flatMap(FileDownload, ({ fetch }) => Stream.runCollect(fetch(url))).pipe(
    Effect.map((pieces) => Buffer.concat(Chunk.toReadonlyArray(pieces)).toString())
  )

const refusalOf = (url: string) => Effect.map(Effect.flip(fetch(url)), ({ message }) => message)

const fetchWith = (options: GuardOptions) => Effect.provide(FileDownloadGuarded.layer(options))

describe("FileDownloadGuarded", () => {
  it.scopedLive("downloads a file by its signed URL, compressed or not", () =>
    Effect.gen(function*() {
      const port = yield* httpServer((request, response) => {
        if (request.url === "/cohort.csv?sig=a%2Fb") response.end("phone\n")
        else response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("phone\n"))
      })
      assert.strictEqual(yield* fetch(`http://127.0.0.1:${port}/cohort.csv?sig=a%2Fb`), "phone\n")
      assert.strictEqual(yield* fetch(`http://127.0.0.1:${port}/cohort.csv.gz`), "phone\n")
    }).pipe(fetchWith(local)))

  it.scopedLive("explains in a sentence why a download failed", () =>
    Effect.gen(function*() {
      const port = yield* httpServer((request, response) => {
        if (request.url === "/moved") response.writeHead(302, { location: "/file" }).end()
        else if (request.url === "/large") response.writeHead(200, { "content-length": 104_857_601 }).write("a")
        else response.writeHead(403).end("secret")
      })
      const base = `http://127.0.0.1:${port}`
      assert.instanceOf(yield* Effect.flip(fetch(`${base}/forbidden`)), DownloadRefused)
      assert.deepStrictEqual(
        yield* Effect.forEach([`${base}/forbidden?sig=secret`, `${base}/moved`, `${base}/large`, "/secret"], refusalOf),
        [
          "The file could not be fetched: HTTP 403",
          "The file could not be fetched: the response is a redirect, which is not followed",
          "The file could not be fetched: more than 104857600 bytes",
          "The file could not be fetched: rejected URL: Should be an absolute https or http URL"
        ]
      )
    }).pipe(fetchWith(local)))

  it.effect("rejects private hosts and http: by default", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* Effect.forEach(["https://169.254.169.254/latest/meta-data", "http://8.8.8.8/"], refusalOf),
        [
          "The file could not be fetched: the host is not on the public internet",
          "The file could not be fetched: rejected URL: Should be an absolute https URL"
        ]
      )
    }).pipe(fetchWith({})))

  it.scoped("waits 30 seconds for the next chunk", () =>
    Effect.gen(function*() {
      const requestSignal = yield* Deferred.make<void>()
      const port = yield* httpServer(() => Deferred.unsafeDone(requestSignal, Effect.void))
      const fetching = yield* Effect.fork(refusalOf(`http://127.0.0.1:${port}/`))
      yield* Deferred.await(requestSignal)
      yield* TestClock.adjust("29 seconds")
      assert.isNull(fetching.unsafePoll())
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual(
        yield* Fiber.join(fetching),
        "The file could not be fetched: the response did not arrive within 30s"
      )
    }).pipe(fetchWith(local)))
})
