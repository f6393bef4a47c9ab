import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { httpServer, local, rawServer } from "../LocalServer.js"
import { failureOf, fetchWith, get } from "./DownloadFixtures.js"

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
        const encodings: Array<string | undefined> = []
        const port = yield* httpServer((request, response) => {
          encodings.push(request.headers["accept-encoding"]?.toString())
          response.writeHead(200, { "content-encoding": encoding }).end(encode(text))
        })
        assert.strictEqual(yield* get({ url: `http://127.0.0.1:${port}/` }), text)
        assert.deepStrictEqual(encodings, ["identity"])
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
