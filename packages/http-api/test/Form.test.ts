import { HttpServerRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { concatBytes } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Effect, FastCheck, Option, Stream } from "effect"
import { collect } from "../src/ByteReader.js"
import { readForm } from "../src/Form.js"

const boundary = "cut-here"
const limit = 100_000

const bytesOf = (text: string) => new TextEncoder().encode(text)

const written = (parts: ReadonlyArray<readonly [name: string, content: string]>) =>
  [
    ...parts.map(([name, content]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${
        name.replaceAll(/["\\]/g, "\\$&")
      }"\r\n\r\n${content}\r\n`
    ),
    `--${boundary}--\r\n`
  ].join("")

const cutAt = (bytes: Uint8Array, sizes: ReadonlyArray<number>) => {
  const pieces: Array<Uint8Array> = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}

const formOf = (pieces: ReadonlyArray<Uint8Array>, limitBytes = limit) =>
  readForm(
    HttpServerRequest.fromWeb(
      new Request("http://localhost/", {
        method: "POST",
        headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
        body: new ReadableStream({
          start: (controller) => {
            pieces.forEach((piece) => controller.enqueue(piece))
            controller.close()
          }
        }),
        duplex: "half"
      })
    ),
    limitBytes
  )

/** Reads the content of every part, or passes over those that are not wanted. */
const readAll = (pieces: ReadonlyArray<Uint8Array>, isWanted = (_: number) => true) =>
  Effect.scoped(Effect.gen(function*() {
    const form = yield* formOf(pieces)
    const parts: Array<readonly [string, string]> = []
    for (let part = yield* form.next; Option.isSome(part); part = yield* form.next) {
      const { content, name } = part.value
      const read = isWanted(parts.length) ? yield* collect(content, limit) : []
      parts.push([name, new TextDecoder("utf-8", { ignoreBOM: true }).decode(concatBytes(read))])
    }
    return parts
  }))

const sizes = FastCheck.array(FastCheck.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
const nearDelimiter = FastCheck.constantFrom("\r\n", "\r\n--cut", "\r\n--cut-", "--", "\r", "\n", "cut-here")
const content = FastCheck.array(FastCheck.oneof(nearDelimiter, FastCheck.string({ unit: "grapheme" })))
  .map((texts) => texts.join("").replaceAll(`\r\n--${boundary}`, ""))
const name = FastCheck.string({ minLength: 1 }).filter((text) => !/[\r\n]/.test(text))
const parts = FastCheck.array(FastCheck.tuple(name, content), { maxLength: 5 })

describe("readForm", () => {
  it.effect.prop(
    "gives the parts that were written, however the bytes come",
    [parts, sizes],
    ([parts, sizes]) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* readAll(cutAt(bytesOf(written(parts)), sizes)), parts)
      })
  )

  it.effect.prop("passes over parts that nobody reads", [parts, sizes], ([parts, sizes]) =>
    Effect.gen(function*() {
      const found = yield* readAll(cutAt(bytesOf(written(parts)), sizes), (index) => index % 2 === 0)
      assert.deepStrictEqual(found, parts.map(([name, content], index) => [name, index % 2 === 0 ? content : ""]))
    }))

  it.effect.prop(
    "passes over what is left of parts that are read in part",
    [parts, sizes, FastCheck.nat(3)],
    ([parts, sizes, most]) =>
      Effect.scoped(Effect.gen(function*() {
        const form = yield* formOf(cutAt(bytesOf(written(parts)), sizes))
        const names: Array<string> = []
        for (let part = yield* form.next; Option.isSome(part); part = yield* form.next) {
          names.push(part.value.name)
          yield* Stream.runDrain(Stream.take(part.value.content, most))
        }
        assert.deepStrictEqual(names, parts.map(([name]) => name))
      })),
    { fastCheck: { numRuns: propertyRuns(30) } }
  )

  it.effect.prop(
    "says of any beginning of a form that it is cut short",
    [parts, FastCheck.nat()],
    ([parts, cut]) =>
      Effect.gen(function*() {
        const whole = bytesOf(written([...parts, ["last", "x"]]))
        const cutShort = whole.subarray(0, cut % (whole.length - "--\r\n".length))
        const error = yield* Effect.flip(readAll([cutShort]))
        assert.include(error.message, "ends before")
      })
  )

  it.effect("holds no more of the body than a piece", () =>
    Effect.scoped(Effect.gen(function*() {
      const form = yield* formOf(cutAt(bytesOf(written([["file", "x".repeat(90_000)]])), [1_000]))
      const part = yield* Effect.flatten(form.next)
      const largest = yield* Stream.runFold(part.content, 0, (size, piece) => Math.max(size, piece.buffer.byteLength))
      assert.isBelow(largest, 3_000)
    })))

  it.effect("fails where the limit is passed", () =>
    Effect.scoped(Effect.gen(function*() {
      const form = yield* formOf(cutAt(bytesOf(written([["file", "x".repeat(1_000)]])), [100]), 500)
      const part = yield* Effect.flatten(form.next)
      const error = yield* Effect.flip(Stream.runDrain(part.content))
      assert.deepInclude(error, { _tag: "BodyTooLarge", limitBytes: 500 })
    })))
})
