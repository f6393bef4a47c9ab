import { assert, describe, it } from "@effect/vitest"
import { ModelFailed } from "@trunkline/errors"
import { Chunk, Effect, Fiber, Stream } from "effect"
import { makeFeed } from "../src/engine/Feed.js"

const feedWithin = (limit: number) => {
  const taken: Array<number> = []
  const feed = makeFeed({ limit, onTaken: () => void taken.push(feed.waiting()) })
  return { ...feed, taken }
}

const lengths = (sound: ReturnType<typeof makeFeed>["sound"]) =>
  Effect.map(Stream.runCollect(sound), (pieces) => Chunk.toReadonlyArray(Chunk.map(pieces, ({ length }) => length)))

const failed = new ModelFailed({ message: "died" })

describe("a feed", () => {
  it.effect("gives what was pushed before and while it is read, in order, and then ends", () =>
    Effect.gen(function*() {
      const { end, push, sound, taken, waiting } = feedWithin(60_000)
      push(new Float32Array(3))
      push(new Float32Array(5))
      assert.strictEqual(waiting(), 8)
      const reader = yield* Effect.fork(lengths(sound))
      yield* Effect.repeatN(Effect.yieldNow(), 20)
      assert.deepStrictEqual(taken, [5, 0])
      push(new Float32Array(7))
      end(null)
      assert.deepStrictEqual(yield* Fiber.join(reader), [3, 5, 7])
    }))

  it.effect("fails after all that was given, and only its first end counts", () =>
    Effect.gen(function*() {
      const { end, push, sound } = feedWithin(60_000)
      push(new Float32Array(3))
      end(failed)
      end(null)
      const read: Array<number> = []
      const failure = yield* Effect.flip(Stream.runForEach(sound, ({ length }) => Effect.sync(() => read.push(length))))
      assert.strictEqual(failure, failed)
      assert.deepStrictEqual(read, [3])
    }))

  it.live("fails when nothing comes for too long, at first and in between", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* Effect.flip(lengths(feedWithin(5).sound)))._tag, "ModelTimedOut")
      const { push, sound } = feedWithin(5)
      push(new Float32Array(1))
      assert.strictEqual((yield* Effect.flip(lengths(sound)))._tag, "ModelTimedOut")
    }))

  it.live("waits for a reader as long as it takes", () =>
    Effect.gen(function*() {
      const { end, push, sound } = feedWithin(5)
      push(new Float32Array(1))
      const slow = Stream.tap(sound, () => Effect.zipRight(Effect.sleep("20 millis"), Effect.sync(() => end(null))))
      assert.deepStrictEqual(yield* lengths(slow), [1])
    }))
})
