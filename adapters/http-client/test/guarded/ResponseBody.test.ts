import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Effect, FastCheck } from "effect"
import { randomBytes } from "node:crypto"
import { Readable } from "node:stream"
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib"
import { BodyExceeds, responseBody } from "../../src/guarded/ResponseBody.js"
import { attempt } from "./Attempt.js"

const brotli = (bytes: Uint8Array | string) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })

const encoders = { gzip: gzipSync, deflate: deflateSync, br: brotli }
const encodings = ["gzip", "deflate", "br"] as const

const cut = (bytes: Uint8Array, size: number): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))

const bodyOf = (pieces: ReadonlyArray<Uint8Array>) => Readable.from(pieces, { objectMode: false })

const read = (pieces: ReadonlyArray<Uint8Array>, encoding: string, maxBytes = 100_000_000) =>
  attempt(async () => {
    const read: Array<Uint8Array> = []
    for await (const piece of responseBody(bodyOf(pieces), { encoding, maxBytes })) read.push(piece)
    return Buffer.concat(read)
  })

const readAll = (...args: Parameters<typeof read>) => Effect.asVoid(read(...args))

describe("responseBody", () => {
  it.effect.prop(
    "decompresses a body for any division into chunks",
    [
      FastCheck.uint8Array({ maxLength: 50_000, size: "max" }),
      FastCheck.integer({ min: 1, max: 70_000 }),
      FastCheck.constantFrom(...encodings)
    ],
    ([bytes, size, encoding]) =>
      Effect.gen(function*() {
        const body = encoders[encoding](bytes)
        const pieces = cut(body, Math.max(size, Math.ceil(body.length / 100)))
        assert.isTrue((yield* read(pieces, encoding)).equals(bytes))
      }),
    { fastCheck: { numRuns: propertyRuns(30) } }
  )

  it.effect.prop(
    "never accepts a truncated body",
    [
      FastCheck.uint8Array({ minLength: 1, maxLength: 2_000 }),
      FastCheck.double({ min: 0, max: 0.99, noNaN: true }),
      FastCheck.constantFrom(...encodings)
    ],
    ([bytes, share, encoding]) =>
      Effect.gen(function*() {
        const body = encoders[encoding](bytes)
        const error = yield* Effect.flip(readAll([body.subarray(0, Math.floor(body.length * share))], encoding))
        assert.propertyVal(error, "code", "Z_BUF_ERROR")
      }),
    { fastCheck: { numRuns: propertyRuns(40) } }
  )

  it.effect("joins the members of a gzip file, and fails for trailing garbage", () =>
    Effect.gen(function*() {
      assert.strictEqual(String(yield* read([gzipSync("one,"), gzipSync("two")], "gzip")), "one,two")
      assert.propertyVal(
        yield* Effect.flip(readAll([gzipSync("one"), Buffer.from("two")], "gzip")),
        "code",
        "Z_DATA_ERROR"
      )
    }))

  it.effect.each(encodings)(
    "fails when the connection breaks after the end of %s",
    (encoding) =>
      Effect.gen(function*() {
        const source = new Readable({ read() {} })
        source.push(Buffer.concat([encoders[encoding]("one"), new Uint8Array(20)]))
        const body = responseBody(source, { encoding, maxBytes: 100 })
        const { value } = yield* Effect.promise(() => body.next())
        assert.strictEqual(String(value), "one")
        setImmediate(() => source.destroy(new Error("reset")))
        const broken = yield* Effect.flip(attempt(() => body.next()))
        assert.propertyVal(broken, "message", "reset")
      })
  )

  it.effect.each(encodings)(
    "limits %s to the byte",
    (encoding) =>
      Effect.gen(function*() {
        const bytes = randomBytes(40_000).toString("hex")
        const body = cut(encoders[encoding](bytes), 1000)
        assert.strictEqual(String(yield* read(body, encoding, 80_000)), bytes)
        assert.instanceOf(yield* Effect.flip(readAll(body, encoding, 79_999)), BodyExceeds)
      })
  )

  it.effect("limits received bytes too, for endless bodies that decompress to nothing", () =>
    Effect.gen(function*() {
      const nothing = gzipSync("")
      const error = yield* Effect.flip(readAll(Array.from({ length: 100 }, () => nothing), "gzip", 1_000))
      assert.instanceOf(error, BodyExceeds)
    }))

  it.effect("checks the compression ratio from one megabyte on, and allows 100", () =>
    Effect.gen(function*() {
      const zeros = (bytes: number) => [gzipSync(new Uint8Array(bytes))]
      assert.strictEqual((yield* read(zeros(1024 * 1024), "gzip")).length, 1024 * 1024)
      const error = yield* Effect.flip(readAll(zeros(1024 * 1024 + 1), "gzip"))
      assert.propertyVal(error, "reason", "more than 100 times its size when decompressed")
      const padding = gzipSync(randomBytes(30_000))
      assert.isAbove((yield* read([padding, ...zeros(2 * 1024 * 1024)], "gzip")).length, 2 * 1024 * 1024)
    }))

  it.effect("reads and decompresses no more than is consumed", () =>
    Effect.promise(async () => {
      const piece = gzipSync(randomBytes(32 * 1024).toString("hex"))
      let reads = 0
      const source = new Readable({
        read() {
          this.push(reads++ < 200 ? piece : null)
        }
      })
      const body = responseBody(source, { encoding: "gzip", maxBytes: 100_000_000 })
      await body.next()
      let before = -1
      while (before !== reads) {
        before = reads
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      assert.isBelow(reads, 30)
      await body.return()
      source.destroy()
    }))
})
