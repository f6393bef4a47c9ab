import { assert, layer } from "@effect/vitest"
import { type AudioCodec, AudioCodecs, type AudioFormat } from "@trunkline/audio"
import { AudioCodecsWasm } from "@trunkline/codecs-wasm"
import { concatBytes } from "@trunkline/kernel"
import { Effect } from "effect"
import { createEncoder } from "libopus-wasm"
import { oggPage } from "../src/ogg/WriteOgg.js"
import { hasFfmpeg, madeByFfmpeg } from "./Ffmpeg.js"
import { voiceOf } from "./Voice.js"

const read = (bytes: Uint8Array, seconds = 15) =>
  Effect.flatMap(AudioCodecs, ({ decode }) => decode({ bytes, filename: null, contentType: null }, { seconds }))

/** Numbers from 0 to less than 1 that are the same for a seed. */
const chances = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A file in which some bytes are others, often in its header, and of which the end may be missing. */
const damaged = (file: Uint8Array, chance: () => number): Uint8Array => {
  const bytes = file.slice(0, chance() < 0.3 ? Math.ceil(chance() * file.length) : file.length)
  const reach = chance() < 0.5 ? Math.min(200, bytes.length) : bytes.length
  for (let times = 1 + Math.floor(chance() * 20); times > 0; times--) {
    bytes[Math.floor(chance() * reach)] = Math.floor(chance() * 256)
  }
  return bytes
}

const silence = (rate: 8_000 | 16_000) => ({ rate, samples: new Float32Array(rate) })

const repeated = (bytes: Uint8Array, times: number) => concatBytes(Array.from({ length: times }, () => bytes))

/** Two hours of silence in Ogg: the same packet again and again. */
const opusBomb = Effect.promise(async () => {
  const encoder = await createEncoder({ sampleRate: 48_000, channels: 1 })
  const packet = encoder.encodeFloat(new Float32Array(960))
  encoder.free()
  const head = new TextEncoder().encode("OpusHead\u0001\u0001\0\0\0\0\0\0\0\0\0")
  const tags = new TextEncoder().encode("OpusTags\0\0\0\0\0\0\0\0")
  const pages = Array.from({ length: 1_500 }, (_, page) =>
    oggPage({
      packets: Array.from({ length: 240 }, () => packet),
      position: (page + 1) * 240 * 960,
      sequence: page + 2,
      isLast: false
    }))
  return concatBytes([
    oggPage({ packets: [head], position: 0, sequence: 0, isLast: false }),
    oggPage({ packets: [tags], position: 0, sequence: 1, isLast: false }),
    ...pages
  ])
})

/** The last frame of an ADTS stream of silence, for days. */
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
    it.effect(`of hours in little ${name} is refused, and not unpacked`, () =>
      Effect.gen(function*() {
        const bytes = yield* bomb
        assert.isBelow(bytes.length, 10_000_000)
        assert.deepInclude(yield* Effect.flip(read(bytes)), { _tag: "ClipRefused", reason: "too_long" })
      }))
  }

  it.effect.skipIf(!hasFfmpeg)(
    "of two hours in little FLAC that ffmpeg writes is refused, and not unpacked",
    () =>
      Effect.gen(function*() {
        const from = ["-f", "lavfi", "-i", "anullsrc=r=8000:cl=stereo"]
        const bytes = yield* madeByFfmpeg(from, ["-t", "7200", "-frame_size", "65535"], { extension: "flac" })
        assert.isBelow(bytes.length, 1_000_000)
        assert.deepInclude(yield* Effect.flip(read(bytes)), { _tag: "ClipRefused", reason: "too_long" })
      })
  )

  it.effect("that is damaged in whatever way is read or refused in time", () =>
    Effect.gen(function*() {
      const { encode } = yield* AudioCodecs
      const codecs: ReadonlyArray<AudioCodec> = ["mp3", "flac", "opus", "aac"]
      const files = yield* Effect.forEach(codecs, (codec) => encode(voiceOf(16_000, 0.5), { codec, rate: 16_000 }))
      const outcomes = new Set<string>()
      for (let seed = 0; seed < 200; seed++) {
        const bytes = damaged(files[seed % files.length] ?? new Uint8Array(), chances(seed))
        const outcome = yield* Effect.either(read(bytes))
        if (outcome._tag === "Left") assert.notInclude(outcome.left.message, "too long", `${seed}`)
        outcomes.add(outcome._tag === "Right" ? "heard" : outcome.left._tag)
      }
      assert.sameMembers([...outcomes], ["heard", "ClipRefused"])
    }))

  it.effect.skipIf(!hasFfmpeg)(
    "in MP4 that is damaged in whatever way is read or refused in time",
    () =>
      Effect.gen(function*() {
        const from = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=16000:duration=0.5"]
        const file = yield* madeByFfmpeg(from, ["-c:a", "aac"], { extension: "m4a" })
        for (let seed = 0; seed < 50; seed++) {
          const outcome = yield* Effect.either(read(damaged(file, chances(seed))))
          if (outcome._tag === "Left") assert.notInclude(outcome.left.message, "too long", `${seed}`)
        }
      })
  )

  it.effect("whose header counts other samples than there are is unreadable", () =>
    Effect.gen(function*() {
      const format: AudioFormat = { codec: "flac", rate: 16_000 }
      const bytes = yield* (yield* AudioCodecs).encode(voiceOf(16_000, 0.5), format)
      bytes[25] = 1
      assert.deepInclude(yield* Effect.flip(read(bytes)), { reason: "unreadable" })
    }))

  it.effect("and a sound stay whose they are", () =>
    Effect.gen(function*() {
      const { encode } = yield* AudioCodecs
      const sound = voiceOf(16_000, 0.2)
      const { samples } = voiceOf(16_000, 0.2)
      const bytes = Buffer.from(yield* encode(sound, { codec: "mp3", rate: 16_000 }))
      const copy = Uint8Array.from(bytes)
      yield* read(bytes)
      assert.deepStrictEqual(sound.samples, samples)
      assert.deepStrictEqual(Uint8Array.from(bytes), copy)
    }))
})
