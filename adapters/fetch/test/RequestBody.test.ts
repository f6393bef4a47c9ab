import { HttpServerRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { concatBytes } from "@trunkline/kernel"
import { Chunk, Effect, Stream } from "effect"
import { makeRequestBody } from "../src/RequestBody.js"

const requestOf = (body: ReadableStream<Uint8Array>, headers: Record<string, string> = {}) => {
  const source = new Request("http://here.example/", { method: "POST", body, headers, duplex: "half" })
  const make = (pace = {}) => makeRequestBody(HttpServerRequest.fromWeb(source), source, pace)
  return make
}

const bytes = new TextEncoder().encode("all of these bytes arrive one by one")

describe("the body of a request", () => {
  it.effect("is read in few pieces when it arrives byte by byte", () =>
    Effect.gen(function*() {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          bytes.forEach((byte) => controller.enqueue(Uint8Array.of(byte)))
          controller.close()
        }
      })
      const pieces = Chunk.toReadonlyArray(yield* Stream.runCollect(requestOf(body)().request.stream))
      assert.deepStrictEqual(concatBytes(pieces), bytes)
      assert.lengthOf(pieces, 1)
    }))

  it.effect("fails when it arrives too slowly, as text or as a stream", () =>
    Effect.gen(function*() {
      const stalled = () => new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes) })
      const pace = { idleTimeout: 20 }
      const { request } = requestOf(stalled())(pace)
      const { cause } = yield* Effect.flip(Stream.runDrain(request.stream))
      const small = requestOf(stalled(), { "content-length": "100" })(pace)
      const text = yield* Effect.flip(small.request.text)
      for (const failure of [cause, text.cause]) {
        assert.match(String(failure), /too slowly. Send at least 500 bytes a second, without pauses of 0.02 seconds/)
      }
    }))

  it.effect("is discarded up to its end, or until nothing more arrives", () =>
    Effect.gen(function*() {
      let pulled = 0
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => pulled++ < 100 ? controller.enqueue(new Uint8Array(1_000_000)) : controller.close()
      })
      yield* requestOf(body)().drain
      assert.strictEqual(pulled, 101)
      let isCancelled = false
      const endless = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(16_777_216)),
        cancel: () => void (isCancelled = true)
      })
      yield* requestOf(endless)().drain
      assert.isTrue(isCancelled)
    }))
})
