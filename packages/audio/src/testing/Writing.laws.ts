import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import type { AudioCodecs } from "../codecs/AudioCodecs.js"
import { type AudioCodec, type AudioFormat, SampleRate } from "../pcm/AudioFormat.js"
import { toPcm16 } from "../pcm/SampleFormats.js"
import { durationOf } from "../Sound.js"
import {
  amplitudeOf,
  codecTraits,
  decode,
  encode,
  hertzOf,
  middleOf,
  outcomeOf,
  slackOf,
  sweepOf,
  toneOf
} from "./LawSupport.js"

/** Laws of encoding and decoding audio. */
export const writingLaws = (it: Vitest.MethodsNonLive<AudioCodecs, true>, codec: AudioCodec): void => {
  const { loss } = codecTraits[codec]

  it.effect(`keeps duration, level and pitch in ${codec} at every rate`, () =>
    Effect.forEach(SampleRate.literals, (rate) =>
      Effect.gen(function*() {
        const format = { codec, rate }
        const tone = toneOf({ rate, seconds: 1, hertz: 440, level: 0.5 })
        const audio = yield* decode(yield* encode(tone, format), format)
        const message = `at ${rate}`
        if (codec !== "aac") assert.strictEqual(audio.rate, codec === "opus" ? 48_000 : rate, message)
        assert.isAtLeast(durationOf(audio), codec === "opus" ? 1 - slackOf(format) : 1, message)
        assert.isAtMost(durationOf(audio), 1 + slackOf(format), message)
        assert.closeTo(hertzOf(middleOf(audio)), 440, 1, message)
        assert.closeTo(amplitudeOf(middleOf(audio)), 0.5, 0.5 * (loss ?? 0.001), message)
      })))

  it.effect(`clamps samples beyond full scale in ${codec}`, () =>
    Effect.gen(function*() {
      const format: AudioFormat = { codec, rate: 24_000 }
      const tone = toneOf({ rate: 24_000, seconds: 0.5, hertz: 300, level: 1.5 })
      const audio = yield* decode(yield* encode(tone, format), format)
      assert.isAtMost(audio.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0), 1)
      const clamped = { rate: 24_000, samples: tone.samples.map((sample) => Math.max(-1, Math.min(1, sample))) }
      assert.closeTo(amplitudeOf(middleOf(audio)), amplitudeOf(clamped), 0.1)
    }))

  it.effect(`encodes audio without samples as an empty ${codec} file`, () =>
    Effect.gen(function*() {
      const format: AudioFormat = { codec, rate: 16_000 }
      const bytes = yield* encode({ rate: 16_000, samples: new Float32Array() }, format)
      const { reason, seconds } = yield* outcomeOf(decode(bytes, format))
      assert.isAtMost(seconds, slackOf(format))
      if (seconds === 0) assert.strictEqual(reason, "empty")
    }))

  if (loss === null) {
    it.effect(`preserves every 16-bit sample in ${codec}`, () =>
      Effect.gen(function*() {
        const format: AudioFormat = { codec, rate: 22_050 }
        const samples = Float32Array.from({ length: 9_001 }, (_, at) => ((at * 7_919) % 65_536 - 32_768) / 32_768)
        const audio = yield* decode(yield* encode({ rate: 22_050, samples }, format), format)
        assert.deepStrictEqual(toPcm16(audio.samples), toPcm16(samples))
      }))
  }
}

/** Laws of the bitrates of MP3. */
export const bitrateLaws = (it: Vitest.MethodsNonLive<AudioCodecs, true>): void => {
  const kilobitsOf = (format: AudioFormat<"mp3">) =>
    Effect.map(
      encode({ rate: format.rate, samples: sweepOf(format.rate, format.rate * 4) }, format),
      (bytes) => bytes.length * 8 / 4_000
    )

  it.effect("encodes mp3 with the requested bitrate, or the highest one of its rate", () =>
    Effect.gen(function*() {
      const rates = [[44_100, 320], [24_000, 160], [8_000, 64]] as const
      const bitrates = [["32k", 32], ["64k", 64], ["96k", 96], ["128k", 128], ["192k", 192]] as const
      for (const [rate, most] of rates) {
        for (const [bitrate, option] of bitrates) {
          const expected = Math.min(option, most)
          const kilobits = yield* kilobitsOf({ codec: "mp3", rate, bitrate })
          assert.closeTo(kilobits, expected, expected / 10, `${bitrate} at ${rate}`)
        }
      }
      assert.closeTo(yield* kilobitsOf({ codec: "mp3", rate: 48_000 }), 128, 12.8)
    }))
}
