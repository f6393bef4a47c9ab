import { assert, describe, it } from "@effect/vitest"
import { type Audio, concatSamples } from "@trunkline/audio"
import { ModelFailed } from "@trunkline/errors"
import { Listener, Transcriber } from "@trunkline/speech"
import { Chunk, Effect, Exit, FastCheck, Layer, Logger, Scope, Stream } from "effect"

/** A listener, and the audio that its transcriber was given; it fails for those of a single sample. */
const listenerBefore = Effect.gen(function*() {
  const recordings: Array<Audio> = []
  const transcriber = Layer.succeed(Transcriber, {
    available: true,
    transcribe: (audio) => {
      recordings.push(audio)
      return audio.samples.length === 1
        ? new ModelFailed({ message: "out of order" })
        : Effect.succeed(` ${audio.samples.length} \n`)
    }
  })
  const { open } = yield* Effect.provide(Listener, Layer.provide(Listener.layerOfTranscriber, transcriber))
  return { recordings, open }
})

const ramp = (length: number, from = 0) => Float32Array.from({ length }, (_, at) => (from + at) % 1_000 / 1_000)

describe("a listener over a transcriber", () => {
  it.scoped("transcribes exactly the sound of the turn, at its rate, and trims the words", () =>
    Effect.gen(function*() {
      const { recordings, open } = yield* listenerBefore
      const { flush, push } = yield* open({ rate: 100, language: "hi-IN" })
      push(ramp(30))
      push(ramp(7, 30))
      assert.strictEqual(yield* flush, "37")
      assert.deepStrictEqual(recordings, [{ rate: 100, samples: ramp(37) }])
    }))

  it.scoped("asks for nothing when there was no sound", () =>
    Effect.gen(function*() {
      const { recordings, open } = yield* listenerBefore
      const { flush, partials, push } = yield* open({ rate: 100, language: null })
      push(new Float32Array())
      assert.strictEqual(yield* flush, "")
      assert.isTrue(Chunk.isEmpty(yield* Stream.runCollect(partials)))
      assert.lengthOf(recordings, 0)
    }))

  it.scoped("drops the sound of a flush that fails", () =>
    Effect.gen(function*() {
      const { open } = yield* listenerBefore
      const { flush, push } = yield* open({ rate: 100, language: null })
      push(ramp(1))
      assert.strictEqual((yield* Effect.flip(flush))._tag, "ModelFailed")
      push(ramp(3))
      assert.strictEqual(yield* flush, "3")
    }))

  it.scoped("says how many seconds were lost of a turn of more than a minute", () =>
    Effect.gen(function*() {
      const { recordings, open } = yield* listenerBefore
      const { flush, push } = yield* open({ rate: 100, language: null })
      const lines: Array<unknown> = []
      const logger = Logger.replace(Logger.defaultLogger, Logger.make(({ message }) => void lines.push(message)))
      push(ramp(6_000))
      yield* Effect.provide(flush, logger)
      assert.lengthOf(lines, 0)
      for (let at = 0; at < 6_250; at += 50) push(ramp(50, at))
      yield* Effect.provide(flush, logger)
      assert.deepStrictEqual(lines, [["A turn lost its beginning; seconds lost:", 2.5]])
      assert.deepStrictEqual(recordings[1]?.samples, ramp(6_000, 250))
    }))

  it.effect.prop(
    "keeps the last minute of any turns, however the sound arrives",
    [FastCheck.array(FastCheck.array(FastCheck.integer({ min: 0, max: 900 }), { maxLength: 20 }), { maxLength: 3 })],
    ([turns]) =>
      Effect.scoped(Effect.gen(function*() {
        const { recordings, open } = yield* listenerBefore
        const { flush, push } = yield* open({ rate: 10, language: null })
        const sounds: Array<Float32Array> = []
        for (const lengths of turns) {
          const pieces = lengths.map((length, index) => ramp(length, index))
          for (const piece of pieces) push(piece)
          yield* Effect.exit(flush)
          const samples = concatSamples(pieces).slice(-600)
          if (samples.length > 0) sounds.push(samples)
        }
        assert.deepStrictEqual(recordings.map(({ samples }) => samples), sounds)
      })).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
  )

  it.effect("hears nothing more after its scope has closed", () =>
    Effect.gen(function*() {
      const { recordings, open } = yield* listenerBefore
      const scope = yield* Scope.make()
      const { flush, push } = yield* Scope.extend(open({ rate: 100, language: null }), scope)
      push(ramp(10))
      yield* Scope.close(scope, Exit.void)
      push(ramp(10))
      assert.strictEqual(yield* flush, "")
      assert.lengthOf(recordings, 0)
    }))

  it.scoped("does not open without a transcriber", () =>
    Effect.gen(function*() {
      for (const layer of [Layer.provide(Listener.layerOfTranscriber, Transcriber.layerNone), Listener.layerNone]) {
        const { open } = yield* Effect.provide(Listener, layer)
        const failure = yield* Effect.flip(open({ rate: 8_000, language: null }))
        assert.deepInclude(failure, { _tag: "ModelUnavailable", lasting: true })
      }
    }))
})
