import { assert, describe, it } from "@effect/vitest"
import { AudioCodecs, type Clip, mulaw, plainCodecs, toLinear16 } from "@trunkline/audio"
import { audioCodecsLaws, toneOf } from "@trunkline/audio/testing"
import { concatBytes } from "@trunkline/kernel"
import { Effect } from "effect"
import { isInstalled, output } from "../Tools.js"

audioCodecsLaws("plain", AudioCodecs.layerPlain, { codecs: ["wav", "linear16", "mulaw", "alaw"] })

const { decode, encode } = plainCodecs(Effect.void)

const limit = { seconds: 15 }

const read = (bytes: Uint8Array, hint: Partial<Clip>) =>
  decode({ filename: null, contentType: null, ...hint, bytes }, limit)

const big = (...numbers: ReadonlyArray<number>) => {
  const view = new DataView(new ArrayBuffer(numbers.length * 4))
  numbers.forEach((number, at) => view.setUint32(at * 4, number))
  return new Uint8Array(view.buffer)
}

const magic = 0x2E_73_6E_64

describe("a clip without a header", () => {
  it.effect("has the rate of its codec unless its content type declares another", () =>
    Effect.gen(function*() {
      const rates: ReadonlyArray<readonly [Partial<Clip>, number]> = [
        [{ filename: "clip.ulaw" }, 8_000],
        [{ contentType: "audio/PCMA" }, 8_000],
        [{ filename: "clip.raw" }, 16_000],
        [{ contentType: "audio/L16" }, 16_000],
        [{ contentType: "audio/L16; rate=24000" }, 24_000],
        [{ contentType: "audio/x-mulaw;channels=1;Rate=\"16000\"" }, 16_000],
        [{ contentType: "audio/L16; rate=fast" }, 16_000]
      ]
      for (const [hint, rate] of rates) assert.strictEqual((yield* read(new Uint8Array(8), hint)).rate, rate)
    }))

  it.effect("is decoded as little endian, with its channels mixed", () =>
    Effect.gen(function*() {
      const bytes = toLinear16(Float32Array.of(0.5, 0, -0.25, -0.75))
      assert.deepStrictEqual([...(yield* read(bytes, { contentType: "audio/L16" })).samples], [0.5, 0, -0.25, -0.75])
      const stereo = yield* read(bytes, { contentType: "audio/L16;channels=2" })
      assert.deepStrictEqual([...stereo.samples], [0.25, -0.5])
    }))

  it.effect("is rejected with an implausible rate or channels, and when it is too long", () =>
    Effect.gen(function*() {
      const reasonOf = (bytes: number, contentType: string) =>
        Effect.map(
          Effect.flip(read(new Uint8Array(bytes), { contentType })),
          (error) => error._tag === "ClipRefused" ? error.reason : error._tag
        )
      assert.strictEqual(yield* reasonOf(8, "audio/PCMU;rate=0"), "unreadable")
      assert.strictEqual(yield* reasonOf(8, "audio/PCMU;rate=999999999"), "unreadable")
      assert.strictEqual(yield* reasonOf(8, "audio/L16;channels=0"), "unreadable")
      assert.strictEqual(yield* reasonOf(8, "audio/L16;channels=9"), "empty")
      assert.strictEqual(yield* reasonOf(120_001, "audio/PCMU"), "too_long")
    }))
})

describe("a Sun audio file", () => {
  const header = (size: number, code: number) => big(magic, 28, size, code, 8_000, 1, 0)

  it.effect("is decoded as mu-law, A-law and 16-bit big endian, after its annotation", () =>
    Effect.gen(function*() {
      const samples = (code: number, size: number, ...bytes: ReadonlyArray<number>) =>
        Effect.map(read(concatBytes([header(size, code), Uint8Array.from(bytes)]), {}), (audio) => [...audio.samples])
      assert.deepStrictEqual(yield* samples(1, 2, 0x80, 0xFF, 0x55), [32_124 / 32_768, 0])
      assert.deepStrictEqual(yield* samples(27, 0xFF_FF_FF_FF, 0xD5), [8 / 32_768])
      assert.deepStrictEqual(yield* samples(3, 99, 0x40, 0, 0x80, 0), [0.5, -1])
    }))

  it.effect("is rejected when it is damaged or empty", () =>
    Effect.gen(function*() {
      const reasonOf = (bytes: Uint8Array) =>
        Effect.map(Effect.flip(read(bytes, {})), (error) => error._tag === "ClipRefused" ? error.reason : error._tag)
      assert.strictEqual(yield* reasonOf(big(magic, 24, 4)), "unreadable")
      assert.strictEqual(yield* reasonOf(big(magic, 24, 4, 2, 8_000, 1, 0)), "unreadable")
      assert.strictEqual(yield* reasonOf(big(magic, 4, 4, 1, 8_000, 1, 0)), "unreadable")
      assert.strictEqual(yield* reasonOf(big(magic, 24, 4, 1, 0, 1, 0)), "unreadable")
      assert.strictEqual(yield* reasonOf(big(magic, 24, 4, 1, 8_000, 0, 0)), "unreadable")
      assert.strictEqual(yield* reasonOf(big(magic, 0xFF_FF_FF_FF, 4, 1, 8_000, 1, 0)), "empty")
    }))

  it.effect.skipIf(!isInstalled("sox"))("is read as sox writes it", () =>
    Effect.gen(function*() {
      const tone = toneOf({ rate: 8_000, seconds: 0.2, hertz: 300, level: 0.5 })
      const raw = ["-D", "-t", "s16", "-r", "8000", "-c", "1", "-", "-t", "au"]
      for (const encoding of ["mu-law", "a-law", "signed-integer"]) {
        const file = output("sox", [...raw, "-e", encoding, "-"], toLinear16(tone.samples))
        const audio = yield* read(file, { contentType: "audio/basic" })
        assert.strictEqual(audio.samples.length, 1_600)
        const most = audio.samples.reduce(
          (most, sample, at) => Math.max(most, Math.abs(sample - (tone.samples[at] ?? 9))),
          0
        )
        assert.isAtMost(most, encoding === "signed-integer" ? 1 / 32_768 : 0.02, encoding)
      }
    }))
})

describe("plain codecs", () => {
  it.effect("pause during long work, with correct results across the pauses", () =>
    Effect.gen(function*() {
      let pauses = 0
      const pausing = plainCodecs(Effect.sync(() => void (pauses += 1)))
      const samples = Float32Array.from({ length: 600_000 }, (_, at) => Math.sin(at / 9) / 2)
      const bytes = yield* pausing.encode({ rate: 48_000, samples }, { codec: "mulaw", rate: 48_000 })
      assert.deepStrictEqual(bytes, mulaw.encode(samples))
      assert.strictEqual(pauses, 2)
      const clip = { bytes, filename: null, contentType: "audio/PCMU;rate=48000;channels=4" }
      const audio = yield* pausing.decode(clip, limit)
      assert.strictEqual(pauses, 4)
      const mixed = mulaw.decode(bytes.subarray(400_000, 400_004)).reduce((sum, sample) => sum + sample, 0) / 4
      assert.closeTo(audio.samples[100_000] ?? 9, mixed, 1e-6)
    }))

  it.effect("report the codec that a clip needs", () =>
    Effect.gen(function*() {
      const missing = (bytes: Uint8Array, hint: Partial<Clip>) =>
        Effect.map(Effect.flip(read(bytes, hint)), (error) => error._tag === "CodecUnavailable" ? error.codec : null)
      assert.strictEqual(yield* missing(new Uint8Array(9), { filename: "a.mp3" }), "mp3")
      assert.strictEqual(yield* missing(new TextEncoder().encode("fLaC...."), {}), "flac")
      assert.strictEqual(yield* missing(new TextEncoder().encode("....ftypM4A "), {}), "aac")
      const mp3 = yield* Effect.flip(
        encode({ rate: 8_000, samples: new Float32Array(9) }, { codec: "mp3", rate: 8_000 })
      )
      assert.deepInclude(mp3, { _tag: "CodecUnavailable", codec: "mp3" })
    }))
})
