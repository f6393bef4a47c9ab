import { assert, describe, layer } from "@effect/vitest"
import { AudioCodecs, type Bitrate, SampleRate, toLinear16, toPcm16 } from "@trunkline/audio"
import { AudioCodecsWasm } from "@trunkline/codecs-wasm"
import { concatBytes } from "@trunkline/kernel"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { hasFfmpeg, heardByFfmpeg, probed } from "./Ffmpeg.js"
import { likeness, voiceOf } from "./Voice.js"

const seconds = 1.234

const atEveryRate = <E, R>(check: (rate: SampleRate) => Effect.Effect<void, E, R>) =>
  Effect.forEach(SampleRate.literals, check, { concurrency: 2, discard: true })

describe.skipIf(!hasFfmpeg)("beside ffmpeg, where it is installed", () => {
  layer(AudioCodecsWasm.layer({ threads: 1 }), { excludeTestServices: true })("what is written", (it) => {
    it.effect("is MP3 that plays as long as the sound, and as it was", () =>
      atEveryRate((rate) =>
        Effect.gen(function*() {
          const sound = voiceOf(rate, seconds)
          const bytes = yield* (yield* AudioCodecs).encode(sound, { codec: "mp3", rate })
          const { channels, codec, kilobits, rate: probedRate, seconds: length } = yield* probed(bytes)
          assert.deepStrictEqual([codec, channels, probedRate], ["mp3", 1, rate])
          assert.strictEqual(kilobits, rate === 8_000 ? 64 : 128)
          assert.closeTo(length, seconds, 3 * 576 / 8_000)
          const heard = yield* heardByFfmpeg(bytes)
          assert.strictEqual(heard.length, sound.samples.length)
          assert.isAbove(likeness(sound.samples, heard, 0), 50, `${rate}`)
        })
      ))

    it.effect("is MP3 of the bitrate that MPEG knows at the rate", () =>
      Effect.gen(function*() {
        const { encode } = yield* AudioCodecs
        const cases: ReadonlyArray<readonly [SampleRate, Bitrate, number]> = [
          [8_000, "32k", 32],
          [8_000, "192k", 64],
          [16_000, "192k", 160],
          [24_000, "192k", 160],
          [32_000, "192k", 192],
          [48_000, "32k", 32]
        ]
        for (const [rate, bitrate, kilobits] of cases) {
          const bytes = yield* encode(voiceOf(rate, 1), { codec: "mp3", rate, bitrate })
          assert.deepInclude(yield* probed(bytes), { rate, kilobits }, `${bitrate} at ${rate}`)
          assert.strictEqual((yield* heardByFfmpeg(bytes)).length, rate)
        }
      }))

    it.effect("is MP3 in pieces that begins 1,105 samples late where it is streamed", () =>
      Effect.scoped(Effect.gen(function*() {
        const { samples } = voiceOf(24_000, seconds)
        const { end, push } = yield* (yield* AudioCodecs).encoder({ codec: "mp3", rate: 24_000 })
        const first = yield* push(samples.subarray(0, 4_800))
        assert.isAbove(first.length, 0)
        const heard = yield* heardByFfmpeg(concatBytes([first, yield* push(samples.subarray(4_800)), yield* end]))
        assert.isAbove(likeness(samples, heard, 1_105), 50)
      })))

    it.effect("is FLAC of 16 bits that is the sound, with how long it is and its checksum", () =>
      atEveryRate((rate) =>
        Effect.gen(function*() {
          const sound = voiceOf(rate, seconds)
          const bytes = yield* (yield* AudioCodecs).encode(sound, { codec: "flac", rate })
          const { seconds: length, ...probe } = yield* probed(bytes)
          assert.deepInclude(probe, { codec: "flac", channels: 1, rate })
          assert.closeTo(length, seconds, 1 / rate)
          const heard = yield* heardByFfmpeg(bytes, ["-sample_fmt", "flt"])
          assert.deepStrictEqual(toPcm16(heard), toPcm16(sound.samples))
          const sum = createHash("md5").update(toLinear16(sound.samples)).digest("hex")
          assert.strictEqual(Buffer.from(bytes.subarray(26, 42)).toString("hex"), sum)
        })
      ))

    it.effect("is Opus in Ogg that plays as long as the sound, and names its rate", () =>
      atEveryRate((rate) =>
        Effect.gen(function*() {
          const sound = voiceOf(rate, seconds)
          const bytes = yield* (yield* AudioCodecs).encode(sound, { codec: "opus", rate })
          const { seconds: length, ...probe } = yield* probed(bytes)
          assert.deepInclude(probe, { codec: "opus", channels: 1, rate: 48_000 })
          assert.closeTo(length, seconds, 0.01)
          assert.strictEqual(new DataView(bytes.buffer, bytes.byteOffset).getUint32(28 + 12, true), rate)
          const heard = yield* heardByFfmpeg(bytes, ["-ar", String(rate)])
          assert.closeTo(heard.length, sound.samples.length, 1)
          assert.isAbove(likeness(sound.samples, heard, 0), 12, `${rate}`)
        })
      ))

    it.effect("is AAC in ADTS that begins 1,024 samples late, and is filled up", () =>
      atEveryRate((rate) =>
        Effect.gen(function*() {
          const sound = voiceOf(rate, seconds)
          const bytes = yield* (yield* AudioCodecs).encode(sound, { codec: "aac", rate })
          assert.deepInclude(yield* probed(bytes), { codec: "aac", channels: 1, rate })
          const heard = yield* heardByFfmpeg(bytes)
          assert.isAtLeast(heard.length, sound.samples.length + 1_024)
          assert.isAtMost(heard.length, sound.samples.length + 3 * 1_024)
          assert.isAbove(likeness(sound.samples, heard, 1_024), 12, `${rate}`)
        })
      ))
  })
})
