import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { AudioCodecs } from "../codecs/AudioCodecs.js"
import { AudioCodec, type AudioFormat } from "../pcm/AudioFormat.js"
import { encode, isStreamed, toneOf } from "./LawSupport.js"
import { garbageLaws, readingLaws } from "./Reading.laws.js"
import { streamingLaws } from "./Streaming.laws.js"
import { bitrateLaws, writingLaws } from "./Writing.laws.js"

/** Properties of the tested layer. */
export interface AudioCodecsLaws {
  /** All codecs that it encodes and decodes. */
  readonly codecs: ReadonlyArray<AudioCodec>
}

/** Laws of `AudioCodecs` for each codec of a layer. */
export const audioCodecsLaws = <E>(name: string, live: Layer.Layer<AudioCodecs, E>, { codecs }: AudioCodecsLaws) =>
  layer(live, { excludeTestServices: true })(`AudioCodecs laws: ${name}`, (it) => {
    it.effect("encodes exactly the codecs that it declares", () =>
      Effect.gen(function*() {
        const { encoder, encodableCodecs } = yield* AudioCodecs
        assert.sameMembers([...encodableCodecs], [...codecs])
        const audio = toneOf({ rate: 16_000, seconds: 0.1, hertz: 440, level: 0.5 })
        for (const codec of AudioCodec.literals) {
          const format: AudioFormat = { codec, rate: 16_000 }
          if (encodableCodecs.includes(codec)) assert.isAbove((yield* encode(audio, format)).length, 100, codec)
          else assert.deepInclude(yield* Effect.flip(encode(audio, format)), { _tag: "CodecUnavailable", codec })
          if (isStreamed(codec) && !encodableCodecs.includes(codec)) {
            assert.strictEqual((yield* Effect.flip(Effect.scoped(encoder({ codec, rate: 16_000 })))).codec, codec)
          }
        }
      }))

    for (const codec of codecs) {
      writingLaws(it, codec)
      readingLaws(it, codec)
      if (isStreamed(codec)) streamingLaws(it, codec)
    }
    if (codecs.includes("mp3")) bitrateLaws(it)
    garbageLaws(it)
  })
