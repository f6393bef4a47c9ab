import { assert, layer } from "@effect/vitest"
import { type AudioCodec, AudioCodecs, type AudioFormat } from "@trunkline/audio"
import { AudioCodecsWasm } from "@trunkline/codecs-wasm"
import { concatBytes } from "@trunkline/kernel"
import { Effect } from "effect"
import { createEncoder } from "libopus-wasm"
import { encodeOggPage } from "../src/Ogg.js"
import { hasFfmpeg, madeByFfmpeg } from "./Ffmpeg.js"
import { voiceOf } from "./Voice.js"

const decodeFile = (bytes: Uint8Array, seconds = 15) =>
  Effect.flatMap(AudioCodecs, ({ decode }) => decode({ bytes, filename: null, contentType: null }, { seconds }))

/** Pseudo-random numbers from 0 to less than 1, the same for a seed. */
const randomNumbers = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Changes some bytes of a file, often in its header, and may cut off its end. */
const damage = (file: Uint8Array, random: () => number): Uint8Array => {
  const bytes = file.slice(0, random() < 0.3 ? Math.ceil(random() * file.length) : file.length)
  const reach = random() < 0.5 ? Math.min(200, bytes.length) : bytes.length
  for (let times = 1 + Math.floor(random() * 20); times > 0; times--) {
    bytes[Math.floor(random() * reach)] = Math.floor(random() * 256)
  }
  return bytes
}

const silence = (rate: 8_000 | 16_000) => ({ rate, samples: new Float32Array(rate) })

const repeated = (bytes: Uint8Array, times: number) => concatBytes(Array.from({ length: times }, () => bytes))

/** Two hours of silence in Ogg: the same packet over and over. */
const opusBomb = Effect.promise(async () => {
  const encoder = await createEncoder({ sampleRate: 48_000, channels: 1 })
  const packet = encoder.encodeFloat(new Float32Array(960))
  encoder.free()
  const head = new TextEncoder().encode("OpusHead\u0001\u0001\0\0\0\0\0\0\0\0\0")
  const tags = new TextEncoder().encode("OpusTags\0\0\0\0\0\0\0\0")
  const pages = Array.from({ length: 1_500 }, (_, page) =>
    encodeOggPage({
      packets: Array.from({ length: 240 }, () => packet),
      position: (page + 1) * 240 * 960,
      sequence: page + 2,
      isLast: false
    }))
  return concatBytes([
    encodeOggPage({ packets: [head], position: 0, sequence: 0, isLast: false }),
    encodeOggPage({ packets: [tags], position: 0, sequence: 1, isLast: false }),
    ...pages
  ])
})

/** Last frame of an ADTS stream of silence, repeated for days. */
const aacBomb = Effect.gen(function*() {
  const bytes = yield* (yield* AudioCodecs).encode(silence(8_000), { codec: "aac", rate: 8_000 })
  const starts = [...bytes.keys()].filter((at) => bytes[at] === 0xFF && bytes[at + 1] === 0xF1)
  return repeated(bytes.subarray(starts.at(-2), starts.at(-1)), 300_000)
})

const mp3Bomb = Effect.gen(function*() {
  const bytes = yield* (yield* AudioCodecs).encode(silence(8_000), { codec: "mp3", rate: 8_000, bitrate: "32k" })
  return repeated(bytes, 1_000)
})

layer(AudioCodecsWasm.layer({ threads: 1 }), { excludeTestServices: true })("a clip", (it) => {
  for (const [name, bomb] of [["Opus", opusBomb], ["AAC", aacBomb], ["MP3", mp3Bomb]] as const) {
    it.effect(`with hours in little ${name} is rejected without being unpacked`, () =>
      Effect.gen(function*() {
        const bytes = yield* bomb
        assert.isBelow(bytes.length, 10_000_000)
        assert.deepInclude(yield* Effect.flip(decodeFile(bytes)), { _tag: "ClipRefused", reason: "too_long" })
      }))
  }

  it.effect.skipIf(!hasFfmpeg)(
    "with two hours in little FLAC by ffmpeg is rejected without being unpacked",
    () =>
      Effect.gen(function*() {
        const from = ["-f", "lavfi", "-i", "anullsrc=r=8000:cl=stereo"]
        const bytes = yield* madeByFfmpeg(from, ["-t", "7200", "-frame_size", "65535"], { extension: "flac" })
        assert.isBelow(bytes.length, 1_000_000)
        assert.deepInclude(yield* Effect.flip(decodeFile(bytes)), { _tag: "ClipRefused", reason: "too_long" })
      })
  )

  it.effect("that is damaged in any way is decoded or rejected in time", () =>
    Effect.gen(function*() {
      const { encode } = yield* AudioCodecs
      const codecs: ReadonlyArray<AudioCodec> = ["mp3", "flac", "opus", "aac"]
      const files = yield* Effect.forEach(codecs, (codec) => encode(voiceOf(16_000, 0.5), { codec, rate: 16_000 }))
      const outcomes = new Set<string>()
      for (let seed = 0; seed < 200; seed++) {
        const bytes = damage(files[seed % files.length] ?? new Uint8Array(), randomNumbers(seed))
        const outcome = yield* Effect.either(decodeFile(bytes))
        if (outcome._tag === "Left") assert.notInclude(outcome.left.message, "too long", `${seed}`)
        outcomes.add(outcome._tag === "Right" ? "decoded" : outcome.left._tag)
      }
      assert.sameMembers([...outcomes], ["decoded", "ClipRefused"])
    }))

  it.effect.skipIf(!hasFfmpeg)(
    "in MP4 that is damaged in any way is decoded or rejected in time",
    () =>
      Effect.gen(function*() {
        const from = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=16000:duration=0.5"]
        const file = yield* madeByFfmpeg(from, ["-c:a", "aac"], { extension: "m4a" })
        for (let seed = 0; seed < 50; seed++) {
          const outcome = yield* Effect.either(decodeFile(damage(file, randomNumbers(seed))))
          if (outcome._tag === "Left") assert.notInclude(outcome.left.message, "too long", `${seed}`)
        }
      })
  )

  it.effect("whose header has a wrong number of samples is unreadable", () =>
    Effect.gen(function*() {
      const format: AudioFormat = { codec: "flac", rate: 16_000 }
      const bytes = yield* (yield* AudioCodecs).encode(voiceOf(16_000, 0.5), format)
      bytes[25] = 1
      assert.deepInclude(yield* Effect.flip(decodeFile(bytes)), { reason: "unreadable" })
    }))

  it.effect("and audio are not changed by the codecs", () =>
    Effect.gen(function*() {
      const { encode } = yield* AudioCodecs
      const audio = voiceOf(16_000, 0.2)
      const { samples } = voiceOf(16_000, 0.2)
      const bytes = Buffer.from(yield* encode(audio, { codec: "mp3", rate: 16_000 }))
      const copy = Uint8Array.from(bytes)
      yield* decodeFile(bytes)
      assert.deepStrictEqual(audio.samples, samples)
      assert.deepStrictEqual(Uint8Array.from(bytes), copy)
    }))
})
