import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { makeLame } from "../src/encode/Mp3.js"
import { makeMp3Streams } from "../src/Mp3Streams.js"
import { eventLoopTurns } from "./EventLoop.js"
import { voiceOf } from "./Voice.js"

const format = { rate: 24_000, bitrate: "64k" } as const

describe("streams of MP3", () => {
  it.live("reuse encoders, up to 8 idle ones", () =>
    Effect.gen(function*() {
      let count = 0
      const { encoder } = makeMp3Streams(() => {
        count += 1
        return makeLame()
      })
      const stream = Effect.scoped(Effect.flatMap(encoder(format), ({ push }) => push(voiceOf(24_000, 0.1).samples)))
      yield* stream
      yield* stream
      assert.strictEqual(count, 1)
      yield* Effect.scoped(Effect.all(Array.from({ length: 12 }, () => encoder(format))))
      assert.strictEqual(count, 12)
      yield* Effect.scoped(Effect.all(Array.from({ length: 12 }, () => encoder(format))))
      assert.strictEqual(count, 16)
    }))

  for (const failing of ["configure", "encode", "finalize"] as const) {
    it.live(`never reuse an encoder whose ${failing} threw`, () =>
      Effect.gen(function*() {
        let count = 0
        const { encoder } = makeMp3Streams(async () => {
          count += 1
          const lame = await makeLame()
          return count > 1 ? lame : Object.assign(lame, {
            [failing]: () => {
              throw new Error("unreachable")
            }
          })
        })
        const { samples } = voiceOf(24_000, 0.1)
        const stream = Effect.scoped(
          Effect.flatMap(encoder(format), ({ end, push }) => Effect.zipRight(push(samples), end))
        )
        assert.strictEqual((yield* Effect.exit(stream))._tag, "Failure")
        yield* stream
        yield* stream
        assert.strictEqual(count, 2)
      }))
  }

  it.live("reuse the encoder of a stream that is interrupted between calls", () =>
    Effect.gen(function*() {
      let count = 0
      const { encoder } = makeMp3Streams(() => {
        count += 1
        return makeLame()
      })
      const pushed = yield* Deferred.make<void>()
      const stream = Effect.scoped(Effect.gen(function*() {
        const { push } = yield* encoder(format)
        yield* push(voiceOf(24_000, 0.1).samples)
        yield* Deferred.succeed(pushed, undefined)
        return yield* Effect.never
      }))
      const fiber = yield* Effect.fork(stream)
      yield* Deferred.await(pushed)
      yield* Fiber.interrupt(fiber)
      yield* Effect.scoped(encoder(format))
      assert.strictEqual(count, 1)
    }))

  it.live("do not block the event loop while a long push is encoded", () =>
    Effect.scoped(Effect.gen(function*() {
      const { push } = yield* makeMp3Streams().encoder(format)
      const { samples } = voiceOf(24_000, 20)
      assert.isAtLeast(yield* eventLoopTurns(push(samples)), 20)
    })))
})
