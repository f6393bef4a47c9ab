import { assert, layer } from "@effect/vitest"
import { Chunk, Effect, type Layer, Option, Stream } from "effect"
import { Recordings } from "../Recordings.js"
import { interactionId, testPlace } from "./CallFixtures.js"

const audio = (...parts: ReadonlyArray<string>) =>
  Stream.fromIterable(parts.map((part) => new TextEncoder().encode(part)))

/** Laws of `Recordings`. Every law uses a separate organisation. */
export const recordingsLaws = <E>(name: string, live: Layer.Layer<Recordings, E>) =>
  layer(live)(`Recordings laws: ${name}`, (it) => {
    const recordingOf = (place: ReturnType<typeof testPlace>, number = 1) =>
      Effect.gen(function*() {
        const recording = yield* (yield* Recordings).find(place.scope, interactionId(place, number))
        if (Option.isNone(recording)) return null
        const parts = yield* Stream.runCollect(recording.value.bytes)
        const text = Chunk.toReadonlyArray(parts).map((part) => new TextDecoder().decode(part)).join("")
        assert.strictEqual(recording.value.size, new TextEncoder().encode(text).length)
        return text
      })

    it.effect("returns the latest recording, in its workspace only", () =>
      Effect.gen(function*() {
        const [place, other] = [testPlace("sound"), testPlace("sound-other")]
        const recordings = yield* Recordings
        const id = interactionId(place, 1)
        assert.isNull(yield* recordingOf(place))
        yield* recordings.keep(place.scope, id, audio("RIFF", "one"))
        assert.strictEqual(yield* recordingOf(place), "RIFFone")
        assert.isNull(yield* recordingOf(other))
        assert.isTrue(Option.isNone(yield* recordings.find(other.scope, id)))
        yield* recordings.keep(place.scope, id, audio("two"))
        assert.strictEqual(yield* recordingOf(place), "two")
      }))

    it.effect("reads any range", () =>
      Effect.gen(function*() {
        const place = testPlace("sound-ranges")
        const recordings = yield* Recordings
        const text = "0123456789".repeat(20_000)
        yield* recordings.keep(place.scope, interactionId(place, 1), audio(text.slice(0, 70_001), text.slice(70_001)))
        const { read } = Option.getOrThrow(yield* recordings.find(place.scope, interactionId(place, 1)))
        for (
          const [from, to] of [[0, 1], [65_530, 65_545], [131_071, 131_073], [199_990, 200_000], [0, 200_000]] as const
        ) {
          const parts = yield* Stream.runCollect(read({ from, to }))
          const content = Chunk.toReadonlyArray(parts).map((part) => new TextDecoder().decode(part)).join("")
          assert.strictEqual(content, text.slice(from, to))
        }
      }))

    it.effect("keeps the previous recording when a new one fails", () =>
      Effect.gen(function*() {
        const place = testPlace("sound-cut")
        const recordings = yield* Recordings
        yield* recordings.keep(place.scope, interactionId(place, 1), audio("whole"))
        const cut = Stream.concat(audio("ha"), Stream.fail("cut"))
        assert.strictEqual(yield* Effect.flip(recordings.keep(place.scope, interactionId(place, 1), cut)), "cut")
        assert.strictEqual(yield* recordingOf(place), "whole")
      }))

    it.effect("removes a recording, and ignores a missing one", () =>
      Effect.gen(function*() {
        const place = testPlace("sound-gone")
        const recordings = yield* Recordings
        yield* recordings.remove(place.scope, interactionId(place, 1))
        yield* recordings.keep(place.scope, interactionId(place, 1), audio("x"))
        yield* recordings.keep(place.scope, interactionId(place, 2), audio("y"))
        yield* recordings.remove(place.scope, interactionId(place, 1))
        assert.isNull(yield* recordingOf(place))
        assert.strictEqual(yield* recordingOf(place, 2), "y")
      }))
  })
