import { assert, describe, it } from "@effect/vitest"
import { type DownloadRequest, GuardedHttp, type GuardOptions } from "@trunkline/http-guarded"
import { Chunk, Deferred, Duration, Effect, Fiber, Stream, TestClock } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { httpServer, local, rawServer } from "./LocalServer.js"

const get = (request: DownloadRequest) =>
  Effect.flatMap(GuardedHttp, ({ get }) => Stream.runCollect(get(request))).pipe(
    Effect.map((pieces) => Buffer.concat(Chunk.toReadonlyArray(pieces)).toString())
  )

const failureOf = (request: DownloadRequest) =>
  Effect.map(Effect.flip(Effect.asVoid(get(request))), ({ kind, reason }) => [kind, reason] as const)

const fetchWith = (options: GuardOptions) => Effect.provide(GuardedHttp.layer(options))

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
      const seen: Array<readonly [path: string | undefined, authorization: string | undefined]> = []
      let away = ""
      const home = yield* httpServer((request, response) => {
        seen.push([request.url, request.headers.authorization])
        if (request.url === "/back") response.end("file")
        else response.writeHead(302, { location: request.url === "/" ? "/near" : away }).end()
      })
      const other = yield* httpServer((request, response) => {
        seen.push([request.url, request.headers.authorization])
        response.writeHead(302, { location: `http://127.0.0.1:${home}/back` }).end()
      })
      away = `http://127.0.0.1:${other}/away`
      yield* get({ url: `http://127.0.0.1:${home}/`, headers: { authorization: "Bearer me" } })
      assert.deepStrictEqual(seen, [
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

describe("a compressed download", () => {
  const text = `phone,name\n${"+919876543210,आशा\n".repeat(1000)}`

  const encoders: ReadonlyArray<readonly [encoding: string, encode: (text: string) => Uint8Array]> = [
    ["gzip", (text) => gzipSync(text)],
    ["GZIP", (text) => gzipSync(text)],
    ["deflate", (text) => deflateSync(text)],
    ["br", (text) => brotliCompressSync(text)],
    ["identity", (text) => Buffer.from(text)]
  ]

  it.scopedLive.each(encoders)(
    "decompresses unrequested %s",
    ([encoding, encode]) =>
      Effect.gen(function*() {
        const asked: Array<string | undefined> = []
        const port = yield* httpServer((request, response) => {
          asked.push(request.headers["accept-encoding"]?.toString())
          response.writeHead(200, { "content-encoding": encoding }).end(encode(text))
        })
        assert.strictEqual(yield* get({ url: `http://127.0.0.1:${port}/` }), text)
        assert.deepStrictEqual(asked, ["identity"])
      }).pipe(fetchWith(local))
  )

  it.scopedLive.each(["zstd", "compress", "x-gzip", "gzip, gzip", "identity, gzip", "gzip,", "secret"])(
    "is rejected with encoding '%s'",
    (encoding) =>
      Effect.gen(function*() {
        const port = yield* httpServer((_, response) => {
          response.writeHead(200, { "content-encoding": encoding }).end(gzipSync(gzipSync(text)))
        })
        assert.deepStrictEqual(yield* failureOf({ url: `http://127.0.0.1:${port}/` }), [
          "refused",
          "the content encoding of the response is not supported"
        ])
      }).pipe(fetchWith(local))
  )

  it.scopedLive("is rejected with two encoding headers", () =>
    Effect.gen(function*() {
      const port = yield* rawServer((socket) => {
        socket.end("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nContent-Encoding: br\r\ncontent-length: 1\r\n\r\na")
      })
      assert.strictEqual((yield* failureOf({ url: `http://127.0.0.1:${port}/` }))[0], "refused")
    }).pipe(fetchWith(local)))

  it.scopedLive.each(encoders.slice(2, 4))(
    "is rejected as a decompression bomb: %s",
    ([encoding, encode]) =>
      Effect.gen(function*() {
        const bomb = encode("a".repeat(4 * 1024 * 1024))
        const port = yield* httpServer((_, response) => {
          response.writeHead(200, { "content-encoding": encoding }).end(bomb)
        })
        assert.deepStrictEqual(yield* failureOf({ url: `http://127.0.0.1:${port}/` }), [
          "too_large",
          "more than 100 times its size when decompressed"
        ])
      }).pipe(fetchWith(local))
  )

  it.scopedLive.each(encoders.slice(0, 4))(
    "fails for truncated %s in a complete response",
    ([encoding, encode]) =>
      Effect.gen(function*() {
        const port = yield* httpServer((_, response) => {
          response.writeHead(200, { "content-encoding": encoding }).end(encode(text).subarray(0, -4))
        })
        assert.deepStrictEqual(yield* failureOf({ url: `http://127.0.0.1:${port}/` }), [
          "network",
          "the compression of the response is damaged"
        ])
      }).pipe(fetchWith(local))
  )
})

describe("a broken response", () => {
  const head = "HTTP/1.1 200 OK\r\n"

  it.scopedLive.each(
    [
      ["shorter than it said", `${head}content-length: 10\r\n\r\nabc`],
      ["cut within a chunk", `${head}transfer-encoding: chunked\r\n\r\n10\r\nabc`],
      ["cut between chunks", `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`],
      ["with a chunk of no length", `${head}transfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`],
      ["with two lengths", `${head}content-length: 3\r\ncontent-length: 5\r\n\r\nabcde`],
      ["with a length that is none", `${head}content-length: -3\r\n\r\nabc`],
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
      const sent = createHash("sha256")
      for (let n = 0; n < 8; n++) sent.update(part)
      const port = yield* httpServer((_, response) => {
        let left = 8
        const more = () => {
          while (left-- > 0) if (!response.write(part)) return
          response.end()
        }
        response.on("drain", more)
        more()
      })
      const http = yield* GuardedHttp
      const received = createHash("sha256")
      yield* Stream.runForEach(http.get({ url: `http://127.0.0.1:${port}/` }), (piece) =>
        Effect.sync(() => received.update(piece)))
      assert.strictEqual(received.digest("hex"), sent.digest("hex"))
    }).pipe(fetchWith(local)))

  it.scopedLive("applies back-pressure", () =>
    Effect.gen(function*() {
      let taken = 0
      const port = yield* httpServer((_, response) => {
        const part = new Uint8Array(256 * 1024)
        const more = () => {
          if (taken < 200) {
            response.write(part, () => {
              taken++
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
          const still = taken === before
          before = taken
          return still
        }
      })
      assert.isBelow(taken, 100)
    }).pipe(fetchWith(local)))
})
