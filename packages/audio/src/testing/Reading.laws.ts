import { assert, type Vitest } from "@effect/vitest"
import { concatBytes } from "@trunkline/kernel"
import { Effect, FastCheck } from "effect"
import { AudioCodecs } from "../codecs/AudioCodecs.js"
import type { AudioCodec, AudioFormat } from "../pcm/AudioFormat.js"
import { clipOf, decode, encode, limit, outcomeOf, slackOf, sweepOf, toneOf } from "./LawSupport.js"

/** Positions in a file, mostly near its start, with the bytes written there. */
const damages = FastCheck.array(
  FastCheck.tuple(FastCheck.double({ min: 0, max: 0.99, noNaN: true }), FastCheck.nat(255)),
  { minLength: 1, maxLength: 20 }
)

/** Laws of decoding clips of a codec. */
export const readingLaws = (it: Vitest.MethodsNonLive<AudioCodecs, true>, codec: AudioCodec): void => {
  const format: AudioFormat = { codec, rate: 16_000 }
  const encodeSweep = (length: number) => encode({ rate: 16_000, samples: sweepOf(16_000, length) }, format)

  it.effect(`rejects ${codec} over the limit, and accepts it below`, () =>
    Effect.gen(function*() {
      const format: AudioFormat = { codec, rate: 8_000 }
      const lasting = (seconds: number) => encode(toneOf({ rate: 8_000, seconds, hertz: 300, level: 0.3 }), format)
      const [long, short] = [yield* lasting(limit.seconds + 0.5), yield* lasting(limit.seconds - 0.5)]
      assert.deepStrictEqual(yield* outcomeOf(decode(long, format)), { reason: "too_long", seconds: 0 })
      assert.strictEqual((yield* outcomeOf(decode(short, format))).reason, "none")
    }))

  it.effect(`decodes truncated ${codec} to its end, or rejects it`, () =>
    Effect.gen(function*() {
      const bytes = yield* encodeSweep(16_000)
      assert.strictEqual((yield* outcomeOf(decode(new Uint8Array(), format))).reason, "empty")
      for (const length of [1, 4, 11, 40, 43, 100, Math.floor(bytes.length / 2), bytes.length - 1]) {
        const { reason, seconds } = yield* outcomeOf(decode(bytes.subarray(0, length), format))
        assert.include(["none", "unreadable", "empty"], reason, `${length} bytes`)
        assert.isAtMost(seconds, 1 + slackOf(format), `${length} bytes`)
      }
    }))

  it.effect.prop(
    `decodes or rejects damaged ${codec}`,
    [damages],
    ([damages]) =>
      Effect.gen(function*() {
        const bytes = (yield* encodeSweep(4_000)).slice()
        for (const [place, value] of damages) bytes[Math.floor(place * place * bytes.length)] = value
        const { reason, seconds } = yield* outcomeOf(decode(bytes, format))
        assert.include(["none", "unreadable", "empty", "too_long"], reason)
        assert.isAtMost(seconds, limit.seconds)
      }),
    { fastCheck: { numRuns: 25 } }
  )
}

/** Laws of rejecting clips that are not audio. */
export const garbageLaws = (it: Vitest.MethodsNonLive<AudioCodecs, true>): void => {
  it.effect("rejects text under any file name", () =>
    Effect.gen(function*() {
      const { decode } = yield* AudioCodecs
      const text = new TextEncoder().encode("This is a letter, and nobody can hear it. ".repeat(40))
      const extensions = [".wav", ".mp3", ".flac", ".ogg", ".opus", ".aac", ".m4a", ".au", ".txt", ""]
      for (const filename of [null, ...extensions.map((extension) => `letter${extension}`)]) {
        const { reason } = yield* outcomeOf(decode(clipOf(text, { filename }), limit))
        assert.include(["unreadable", "unavailable"], reason, filename ?? "without a name")
      }
    }))

  it.effect("rejects files with only the signature of audio", () =>
    Effect.gen(function*() {
      const { decode } = yield* AudioCodecs
      const noise = Uint8Array.from({ length: 5_000 }, (_, at) => (at * at * 31 + at * 7) % 251)
      for (const beginning of ["RIFF....WAVE", ".snd", "fLaC", "ID3\u0004\0\0\0\0\0\0", "OggS", "....ftypM4A "]) {
        const bytes = concatBytes([new TextEncoder().encode(beginning), noise])
        for (const cut of [bytes, bytes.subarray(0, beginning.length)]) {
          const { reason } = yield* outcomeOf(decode(clipOf(cut), limit))
          assert.include(["unreadable", "empty", "unavailable"], reason, beginning)
        }
      }
    }))
}
