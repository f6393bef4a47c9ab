import { HttpServerRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { concatBytes } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Effect, FastCheck, Option, Stream } from "effect"
import { collectBytes } from "../src/request/ByteReader.js"
import { readForm } from "../src/request/FormReader.js"

const boundary = "cut-here"
const limit = 100_000

const bytesOf = (text: string) => new TextEncoder().encode(text)

const encodeForm = (parts: ReadonlyArray<readonly [name: string, content: string]>) =>
  [
    ...parts.map(([name, content]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${
        name.replaceAll(/["\\]/g, "\\$&")
      }"\r\n\r\n${content}\r\n`
    ),
    `--${boundary}--\r\n`
  ].join("")

const splitBytes = (bytes: Uint8Array, sizes: ReadonlyArray<number>) => {
  const chunks: Array<Uint8Array> = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

const formOf = (chunks: ReadonlyArray<Uint8Array>, limitBytes = limit) =>
  readForm(
    HttpServerRequest.fromWeb(
      new Request("http://localhost/", {
        method: "POST",
        headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
        body: new ReadableStream({
          start: (controller) => {
            chunks.forEach((chunk) => controller.enqueue(chunk))
            controller.close()
          }
        }),
        duplex: "half"
      })
    ),
    limitBytes
  )

/** Reads the parts, and skips the content of those that are not wanted. */
const readAll = (chunks: ReadonlyArray<Uint8Array>, isWanted = (_: number) => true) =>
  Effect.scoped(Effect.gen(function*() {
    const form = yield* formOf(chunks)
    const parts: Array<readonly [string, string]> = []
    for (let part = yield* form.next; Option.isSome(part); part = yield* form.next) {
      const { content, name } = part.value
      const read = isWanted(parts.length) ? yield* collectBytes(content, limit) : []
      parts.push([name, new TextDecoder("utf-8", { ignoreBOM: true }).decode(concatBytes(read))])
    }
    return parts
  }))

const sizes = FastCheck.array(FastCheck.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
const nearDelimiter = FastCheck.constantFrom("\r\n", "\r\n--cut", "\r\n--cut-", "--", "\r", "\n", "cut-here")
const content = FastCheck.array(FastCheck.oneof(nearDelimiter, FastCheck.string({ unit: "grapheme" })))
  .map((texts) => texts.join("").replaceAll(`\r\n--${boundary}`, "").replaceAll("\0", ""))
const name = FastCheck.string({ minLength: 1 }).filter((text) => !/[\r\n\0]/.test(text))
const parts = FastCheck.array(FastCheck.tuple(name, content), { maxLength: 5 })

describe("readForm", () => {
  it.effect.prop(
    "reads the encoded parts, however the bytes are split",
    [parts, sizes],
    ([parts, sizes]) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* readAll(splitBytes(bytesOf(encodeForm(parts)), sizes)), parts)
      })
  )

  it.effect.prop("skips parts whose content is not read", [parts, sizes], ([parts, sizes]) =>
    Effect.gen(function*() {
      const found = yield* readAll(splitBytes(bytesOf(encodeForm(parts)), sizes), (index) => index % 2 === 0)
      assert.deepStrictEqual(found, parts.map(([name, content], index) => [name, index % 2 === 0 ? content : ""]))
    }))

  it.effect.prop(
    "skips the rest of parts that are read partially",
    [parts, sizes, FastCheck.nat(3)],
    ([parts, sizes, most]) =>
      Effect.scoped(Effect.gen(function*() {
        const form = yield* formOf(splitBytes(bytesOf(encodeForm(parts)), sizes))
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
    "fails on every truncated form",
    [parts, FastCheck.nat()],
    ([parts, cut]) =>
      Effect.gen(function*() {
        const whole = bytesOf(encodeForm([...parts, ["last", "x"]]))
        const truncated = whole.subarray(0, cut % (whole.length - "--\r\n".length))
        const error = yield* Effect.flip(readAll([truncated]))
        assert.include(error.message, "ends before")
      })
  )

  it.effect("holds at most one chunk of the body in memory", () =>
    Effect.scoped(Effect.gen(function*() {
      const form = yield* formOf(splitBytes(bytesOf(encodeForm([["file", "x".repeat(90_000)]])), [1_000]))
      const part = yield* Effect.flatten(form.next)
      const largest = yield* Stream.runFold(part.content, 0, (size, chunk) => Math.max(size, chunk.buffer.byteLength))
      assert.isBelow(largest, 3_000)
    })))

  it.effect("fails where a plain field or a name holds a NUL, and passes files with any bytes", () =>
    Effect.gen(function*() {
      const read = (text: string) => readAll([bytesOf(text)])
      const { message } = yield* Effect.flip(read(encodeForm([["note", "a\0b"]])))
      assert.strictEqual(message, "body.note: Must not hold NUL characters")
      assert.include((yield* Effect.flip(read(encodeForm([["no\0te", "a"]])))).message, "NUL")
      const file =
        `--${boundary}\r\ncontent-disposition: form-data; name="f"; filename="f.bin"\r\n\r\na\0b\r\n--${boundary}--\r\n`
      assert.deepStrictEqual(yield* read(file), [["f", "a\0b"]])
    }))

  it.effect("fails when the body exceeds the limit", () =>
    Effect.scoped(Effect.gen(function*() {
      const form = yield* formOf(splitBytes(bytesOf(encodeForm([["file", "x".repeat(1_000)]])), [100]), 500)
      const part = yield* Effect.flatten(form.next)
      const error = yield* Effect.flip(Stream.runDrain(part.content))
      assert.deepInclude(error, { _tag: "BodyTooLarge", limitBytes: 500 })
    })))
})
