import { assert, describe, it } from "@effect/vitest"
import { GuardedHttp } from "@trunkline/http-client/guarded"
import { Deferred, Duration, Effect, Fiber, Stream, TestClock } from "effect"
import { gzipSync } from "node:zlib"
import { httpServer, local, rawServer } from "../LocalServer.js"
import { failureOf, fetchWith } from "./DownloadFixtures.js"

describe("a broken response", () => {
  const head = "HTTP/1.1 200 OK\r\n"

  it.scopedLive.each(
    [
      ["shorter than it said", `${head}content-length: 10\r\n\r\nabc`],
      ["cut within a chunk", `${head}transfer-encoding: chunked\r\n\r\n10\r\nabc`],
      ["cut between chunks", `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`],
      ["with a chunk of no length", `${head}transfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`],
      ["with two lengths", `${head}content-length: 3\r\ncontent-length: 5\r\n\r\nabcde`],
      ["with a length that is not a number of bytes", `${head}content-length: -3\r\n\r\nabc`],
      ["with both a length and chunks", `${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
      ["that is no HTTP", "SSH-2.0-OpenSSH_9.6\r\n"],
      ["that is empty", ""],
      ["whose head does not end", head],
      ["whose head is endless", `${head}a: ${"a".repeat(100_000)}\r\n\r\n`]
    ] as const
  )("%s", ([, answer]) =>
    Effect.gen(function*() {
      const port = yield* rawServer((socket) => void socket.end(answer))
      assert.strictEqual((yield* failureOf({ url: `http://127.0.0.1:${port}/` }))[0], "network")
    }).pipe(fetchWith(local)))

  const resets = [
    ["/head", ""],
    ["/length", `${head}content-length: 10\r\n\r\nabc`],
    ["/length-close", `${head}connection: close\r\ncontent-length: 10\r\n\r\nabc`],
    ["/chunks", `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`],
    ["/chunks-close", `${head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`]
  ] as const

  it.scopedLive.each(resets)("fails when it is reset or closed early: %s", ([, answer]) =>
    Effect.gen(function*() {
      const port = yield* rawServer((socket, path) => {
        const cut = () => path === "/reset" ? socket.resetAndDestroy() : socket.end()
        if (answer === "") cut()
        else socket.write(answer, cut)
      })
      for (const path of ["/reset", "/close"]) {
        assert.strictEqual((yield* failureOf({ url: `http://127.0.0.1:${port}${path}` }))[0], "network", path)
      }
    }).pipe(fetchWith(local)))

  it.scopedLive.each([
    "HTTP/1.1 200 OK",
    "HTTP/1.0 200 OK",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: identity"
  ])(
    "is rejected without a declared length, because truncation would go unnoticed: %j",
    (head) =>
      Effect.gen(function*() {
        const port = yield* rawServer((socket) => void socket.end(`${head}\r\n\r\nabc`))
        assert.deepStrictEqual(yield* failureOf({ url: `http://127.0.0.1:${port}/` }), [
          "refused",
          "the response does not declare its length"
        ])
      }).pipe(fetchWith(local))
  )

  it.scopedLive("fails when it is reset after the end of its compressed body", () =>
    Effect.gen(function*() {
      const port = yield* rawServer((socket) => {
        const body = gzipSync("abc")
        socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${body.length + 1}\r\n\r\n`)
        socket.end(body)
      })
      assert.strictEqual((yield* failureOf({ url: `http://127.0.0.1:${port}/` }))[0], "network")
    }).pipe(fetchWith(local)))

  it.scopedLive.each([201, 204, 206, 401, 403, 404, 500])("fails for status %i", (status) =>
    Effect.gen(function*() {
      const port = yield* httpServer((_, response) => void response.writeHead(status).end())
      assert.deepStrictEqual(yield* failureOf({ url: `http://127.0.0.1:${port}/` }), ["status", `HTTP ${status}`])
    }).pipe(fetchWith(local)))

  it.scopedLive("fails for an unreachable server", () =>
    Effect.gen(function*() {
      const port = yield* Effect.scoped(httpServer(() => {}))
      assert.deepStrictEqual(yield* failureOf({ url: `http://127.0.0.1:${port}/` }), [
        "network",
        "the connection was refused"
      ])
    }).pipe(fetchWith(local)))
})

describe("a slow response", () => {
  /** Runs a download until its server is done, then advances the clock. */
  const after = (
    time: Duration.DurationInput,
    answer: (socket: Parameters<Parameters<typeof rawServer>[0]>[0]) => void
  ) =>
    Effect.gen(function*() {
      const answered = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<void>()
      const port = yield* rawServer((socket) => {
        socket.on("close", () => Deferred.unsafeDone(closed, Effect.void))
        answer(socket)
        Deferred.unsafeDone(answered, Effect.void)
      })
      const download = yield* Effect.fork(failureOf({ url: `http://127.0.0.1:${port}/` }))
      yield* Deferred.await(answered)
      yield* TestClock.adjust(time)
      const failure = yield* Fiber.join(download)
      yield* Deferred.await(closed)
      return failure
    }).pipe(fetchWith(local), Effect.scoped)

  const idle = ["too_slow", "the response did not arrive within 30s"] as const

  it.effect("fails after 30 seconds without a response", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* after("30 seconds", () => {}), idle)
    }))

  it.effect("fails after 30 seconds if the headers never end", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* after("30 seconds", (socket) => void socket.write("HTTP/1.1 200 OK\r\na: ")), idle)
      const informing = (socket: { write: (text: string) => unknown }) =>
        void socket.write("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100))
      assert.deepStrictEqual(yield* after("30 seconds", informing), idle)
    }))

  it.effect("fails after 30 seconds without a chunk of the body", () =>
    Effect.gen(function*() {
      const stall = (socket: { write: (text: string) => unknown }) =>
        void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc")
      assert.deepStrictEqual(yield* after("60 seconds", stall), idle)
    }))

  it.effect("fails after 30 seconds if a compressed body yields nothing", () =>
    Effect.gen(function*() {
      const stall = (socket: { write: (bytes: Uint8Array | string) => unknown }) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 100\r\n\r\n")
        socket.write(gzipSync("abc").subarray(0, 10))
      }
      assert.deepStrictEqual(yield* after("60 seconds", stall), idle)
    }))

  it.scopedLive("fails at the total time limit if it trickles", () =>
    Effect.gen(function*() {
      const port = yield* httpServer((_, response) => {
        response.write("a")
        const timer = setInterval(() => response.write("a"), 10)
        response.on("close", () => clearInterval(timer))
      })
      const request = { url: `http://127.0.0.1:${port}/`, totalTime: Duration.millis(150) }
      assert.strictEqual((yield* failureOf(request))[0], "too_slow")
    }).pipe(fetchWith(local)))

  it.scoped("does not count the time in which the consumer is slow", () =>
    Effect.gen(function*() {
      const port = yield* httpServer((_, response) => {
        response.write("one,", () => response.end("two"))
      })
      const http = yield* GuardedHttp
      const slowly = Stream.tap(http.get({ url: `http://127.0.0.1:${port}/` }), () => Effect.sleep("40 seconds"))
      const reading = yield* Effect.fork(Stream.runFold(slowly, 0, (sum, piece) => sum + piece.length))
      yield* Effect.repeat(Effect.zipRight(Effect.yieldNow(), TestClock.adjust("10 seconds")), {
        until: () => Effect.map(Fiber.poll(reading), (exit) => exit._tag === "Some")
      })
      assert.strictEqual(yield* Fiber.join(reading), 7)
    }).pipe(fetchWith(local)))
})
