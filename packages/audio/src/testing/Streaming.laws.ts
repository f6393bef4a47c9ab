import { assert, type Vitest } from "@effect/vitest"
import { concatBytes } from "@trunkline/kernel"
import { Effect, FastCheck } from "effect"
import { AudioCodecs } from "../codecs/AudioCodecs.js"
import { wavHeader, wavHeaderBytes } from "../files/Wav.js"
import type { AudioFormat, StreamCodec } from "../pcm/AudioFormat.js"
import { decode, encode, streamed, sweepOf } from "./LawSupport.js"

const rate = 24_000

const streamHeader = wavHeader({ rate, samples: null })

/** Laws of encoding a stream. */
export const streamingLaws = (it: Vitest.MethodsNonLive<AudioCodecs, true>, codec: StreamCodec): void => {
  const format: AudioFormat<StreamCodec> = { codec, rate }

  it.effect(`streams ${codec} that decodes like a whole file`, () =>
    Effect.gen(function*() {
      const samples = sweepOf(rate, 30_000)
      const whole = yield* encode({ rate, samples }, format)
      const stream = yield* streamed([samples.subarray(0, 777), samples.subarray(777)], format)
      assert.deepStrictEqual(yield* decode(stream, format), yield* decode(whole, format))
      if (codec === "wav") {
        assert.deepStrictEqual(stream, concatBytes([streamHeader, whole.subarray(wavHeaderBytes)]))
      }
    }))

  it.effect.prop(
    `streams the same ${codec} for any division into chunks`,
    [FastCheck.array(FastCheck.nat(3_000), { maxLength: 8 })],
    ([cuts]) =>
      Effect.gen(function*() {
        const samples = sweepOf(rate, 3_000)
        const places = [0, ...cuts.toSorted((one, other) => one - other)]
        const chunks = places.map((place, index) => samples.subarray(place, places[index + 1] ?? samples.length))
        assert.deepStrictEqual(yield* streamed(chunks, format), yield* streamed([samples], format))
      }),
    { fastCheck: { numRuns: 15 } }
  )

  it.effect(`keeps two concurrent streams of ${codec} apart`, () =>
    Effect.scoped(Effect.gen(function*() {
      const { encoder } = yield* AudioCodecs
      const [low, high] = [sweepOf(24_000, 8_000), sweepOf(48_000, 8_000)] as const
      const [one, other] = [yield* encoder(format), yield* encoder(format)]
      const [first, second] = [yield* one.push(low), yield* other.push(high)]
      assert.deepStrictEqual(concatBytes([first, yield* one.end]), yield* streamed([low], format))
      assert.deepStrictEqual(concatBytes([second, yield* other.end]), yield* streamed([high], format))
    })))

  it.effect(`handles an empty and an abandoned stream of ${codec}`, () =>
    Effect.gen(function*() {
      const { encoder } = yield* AudioCodecs
      const empty = yield* streamed([], format)
      assert.deepStrictEqual(yield* streamed([new Float32Array()], format), empty)
      if (codec === "wav") assert.deepStrictEqual(empty, streamHeader)
      yield* Effect.scoped(Effect.flatMap(encoder(format), ({ push }) => push(sweepOf(rate, 5_000))))
    }))
}
