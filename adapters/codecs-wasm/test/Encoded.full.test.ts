import { assert, describe, layer } from "@effect/vitest"
import { AudioCodecs, type Bitrate, SampleRate, toLinear16, toPcm16 } from "@trunkline/audio"
import { AudioCodecsWasm } from "@trunkline/codecs-wasm"
import { concatBytes } from "@trunkline/kernel"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { decodedByFfmpeg, hasFfmpeg, probed } from "./Ffmpeg.js"
import { likeness, voiceOf } from "./Voice.js"

const seconds = 1.234

const atEveryRate = <E, R>(check: (rate: SampleRate) => Effect.Effect<void, E, R>) =>
  Effect.forEach(SampleRate.literals, check, { concurrency: 2, discard: true })

describe.skipIf(!hasFfmpeg)("compared with ffmpeg", () => {
  layer(AudioCodecsWasm.layer({ threads: 1 }), { excludeTestServices: true })("encoding", (it) => {
    it.effect("gives MP3 of the exact length and near the original", () =>
      atEveryRate((rate) =>
        Effect.gen(function*() {
          const audio = voiceOf(rate, seconds)
          const bytes = yield* (yield* AudioCodecs).encode(audio, { codec: "mp3", rate })
          const { channels, codec, kilobits, rate: probedRate, seconds: length } = yield* probed(bytes)
          assert.deepStrictEqual([codec, channels, probedRate], ["mp3", 1, rate])
          assert.strictEqual(kilobits, rate === 8_000 ? 64 : 128)
          assert.closeTo(length, seconds, 3 * 576 / 8_000)
          const decoded = yield* decodedByFfmpeg(bytes)
          assert.strictEqual(decoded.length, audio.samples.length)
          assert.isAbove(likeness(audio.samples, decoded, 0), 50, `${rate}`)
        })
      ))

    it.effect("gives MP3 of a bitrate that MPEG has at the rate", () =>
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
          assert.strictEqual((yield* decodedByFfmpeg(bytes)).length, rate)
        }
      }))

    it.effect("gives MP3 streams that begin 1,105 samples late", () =>
      Effect.scoped(Effect.gen(function*() {
        const { samples } = voiceOf(24_000, seconds)
        const { end, push } = yield* (yield* AudioCodecs).encoder({ codec: "mp3", rate: 24_000 })
        const first = yield* push(samples.subarray(0, 4_800))
        assert.isAbove(first.length, 0)
        const decoded = yield* decodedByFfmpeg(concatBytes([first, yield* push(samples.subarray(4_800)), yield* end]))
        assert.isAbove(likeness(samples, decoded, 1_105), 50)
      })))

    it.effect("gives lossless FLAC of 16 bits with its length and checksum", () =>
      atEveryRate((rate) =>
        Effect.gen(function*() {
          const audio = voiceOf(rate, seconds)
          const bytes = yield* (yield* AudioCodecs).encode(audio, { codec: "flac", rate })
          const { seconds: length, ...probe } = yield* probed(bytes)
          assert.deepInclude(probe, { codec: "flac", channels: 1, rate })
          assert.closeTo(length, seconds, 1 / rate)
          const decoded = yield* decodedByFfmpeg(bytes, ["-sample_fmt", "flt"])
          assert.deepStrictEqual(toPcm16(decoded), toPcm16(audio.samples))
          const sum = createHash("md5").update(toLinear16(audio.samples)).digest("hex")
          assert.strictEqual(Buffer.from(bytes.subarray(26, 42)).toString("hex"), sum)
        })
      ))

    it.effect("gives Opus in Ogg of the exact length that names the original rate", () =>
      atEveryRate((rate) =>
        Effect.gen(function*() {
          const audio = voiceOf(rate, seconds)
          const bytes = yield* (yield* AudioCodecs).encode(audio, { codec: "opus", rate })
          const { seconds: length, ...probe } = yield* probed(bytes)
          assert.deepInclude(probe, { codec: "opus", channels: 1, rate: 48_000 })
          assert.closeTo(length, seconds, 0.01)
          assert.strictEqual(new DataView(bytes.buffer, bytes.byteOffset).getUint32(28 + 12, true), rate)
          const decoded = yield* decodedByFfmpeg(bytes, ["-ar", String(rate)])
          assert.closeTo(decoded.length, audio.samples.length, 1)
          assert.isAbove(likeness(audio.samples, decoded, 0), 12, `${rate}`)
        })
      ))

    it.effect("gives AAC in ADTS that begins 1,024 samples late and is padded", () =>
      atEveryRate((rate) =>
        Effect.gen(function*() {
          const audio = voiceOf(rate, seconds)
          const bytes = yield* (yield* AudioCodecs).encode(audio, { codec: "aac", rate })
          assert.deepInclude(yield* probed(bytes), { codec: "aac", channels: 1, rate })
          const decoded = yield* decodedByFfmpeg(bytes)
          assert.isAtLeast(decoded.length, audio.samples.length + 1_024)
          assert.isAtMost(decoded.length, audio.samples.length + 3 * 1_024)
          assert.isAbove(likeness(audio.samples, decoded, 1_024), 12, `${rate}`)
        })
      ))
  })
})
