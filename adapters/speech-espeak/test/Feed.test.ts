import { assert, describe, it } from "@effect/vitest"
import { ModelFailed } from "@trunkline/errors"
import { Chunk, Effect, Fiber, Stream } from "effect"
import { makeAudioFeed } from "../src/AudioFeed.js"

const feedWithin = (timeoutMillis: number) => {
  const taken: Array<number> = []
  const feed = makeAudioFeed({ timeoutMillis, onTaken: () => void taken.push(feed.waiting()) })
  return { ...feed, taken }
}

const lengths = (audio: ReturnType<typeof makeAudioFeed>["audio"]) =>
  Effect.map(Stream.runCollect(audio), (chunks) => Chunk.toReadonlyArray(Chunk.map(chunks, ({ length }) => length)))

const failed = new ModelFailed({ message: "died" })

describe("a feed", () => {
  it.effect("gives the chunks in order, pushed before or while it is read, and then ends", () =>
    Effect.gen(function*() {
      const { audio, end, push, taken, waiting } = feedWithin(60_000)
      push(new Float32Array(3))
      push(new Float32Array(5))
      assert.strictEqual(waiting(), 8)
      const reader = yield* Effect.fork(lengths(audio))
      yield* Effect.repeatN(Effect.yieldNow(), 20)
      assert.deepStrictEqual(taken, [5, 0])
      push(new Float32Array(7))
      end(null)
      assert.deepStrictEqual(yield* Fiber.join(reader), [3, 5, 7])
    }))

  it.effect("fails after all chunks, and only its first end counts", () =>
    Effect.gen(function*() {
      const { audio, end, push } = feedWithin(60_000)
      push(new Float32Array(3))
      end(failed)
      end(null)
      const read: Array<number> = []
      const failure = yield* Effect.flip(Stream.runForEach(audio, ({ length }) => Effect.sync(() => read.push(length))))
      assert.strictEqual(failure, failed)
      assert.deepStrictEqual(read, [3])
    }))

  it.live("fails after the time limit without audio, at the start and in between", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* Effect.flip(lengths(feedWithin(5).audio)))._tag, "ModelTimedOut")
      const { audio, push } = feedWithin(5)
      push(new Float32Array(1))
      assert.strictEqual((yield* Effect.flip(lengths(audio)))._tag, "ModelTimedOut")
    }))

  it.live("waits for a slow reader without a limit", () =>
    Effect.gen(function*() {
      const { audio, end, push } = feedWithin(5)
      push(new Float32Array(1))
      const slow = Stream.tap(audio, () => Effect.zipRight(Effect.sleep("20 millis"), Effect.sync(() => end(null))))
      assert.deepStrictEqual(yield* lengths(slow), [1])
    }))
})
