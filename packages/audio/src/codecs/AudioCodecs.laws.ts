import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { AudioCodecs } from "./AudioCodecs.js"
import { AudioCodec, type AudioFormat } from "./AudioFormat.js"
import { encode, isStreamed } from "./laws/LawSupport.js"
import { garbageLaws, readingLaws } from "./laws/Reading.laws.js"
import { streamingLaws } from "./laws/Streaming.laws.js"
import { bitrateLaws, writingLaws } from "./laws/Writing.laws.js"
import { toneOf } from "./Tones.js"

/** What is peculiar to a layer that the laws look at. */
export interface AudioCodecsLaws {
  /** What it writes and reads, no more and no fewer. */
  readonly codecs: ReadonlyArray<AudioCodec>
}

/** The laws of `AudioCodecs`, for each of the codecs that a layer has. */
export const audioCodecsLaws = <E>(name: string, live: Layer.Layer<AudioCodecs, E>, { codecs }: AudioCodecsLaws) =>
  layer(live, { excludeTestServices: true })(`AudioCodecs laws: ${name}`, (it) => {
    it.effect("writes what it says that it writes, and nothing else", () =>
      Effect.gen(function*() {
        const { encoder, written } = yield* AudioCodecs
        assert.sameMembers([...written], [...codecs])
        const sound = toneOf({ rate: 16_000, seconds: 0.1, hertz: 440, level: 0.5 })
        for (const codec of AudioCodec.literals) {
          const format: AudioFormat = { codec, rate: 16_000 }
          if (written.includes(codec)) assert.isAbove((yield* encode(sound, format)).length, 100, codec)
          else assert.deepInclude(yield* Effect.flip(encode(sound, format)), { _tag: "CodecUnavailable", codec })
          if (isStreamed(codec) && !written.includes(codec)) {
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
