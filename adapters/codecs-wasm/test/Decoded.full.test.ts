import { assert, describe, layer } from "@effect/vitest"
import { AudioCodecs, type Clip, durationOf } from "@trunkline/audio"
import { AudioCodecsWasm } from "@trunkline/codecs-wasm"
import { Effect } from "effect"
import { decodedByFfmpeg, hasFfmpeg, madeByFfmpeg, samplesAt } from "./Ffmpeg.js"
import { likeness, voiceOf } from "./Voice.js"

const audio = voiceOf(24_000, 2.5)

const fileOf = (extension: string, ...options: ReadonlyArray<string>) =>
  madeByFfmpeg(samplesAt(24_000), options, { extension, input: audio.samples })

const decodeFile = (bytes: Uint8Array, hint: Partial<Clip> = {}) =>
  Effect.flatMap(
    AudioCodecs,
    ({ decode }) => decode({ filename: null, contentType: null, ...hint, bytes }, { seconds: 15 })
  )

const stereo = ["-af", "pan=stereo|c0=c0|c1=c0"]

/** A file by ffmpeg: its rate when decoded, and the number of samples before and after the audio. */
interface File {
  readonly name: string
  readonly extension: string
  readonly options: ReadonlyArray<string>
  readonly rate: number
  readonly before?: number
  /** Number at most. */
  readonly after?: number
}

const files: ReadonlyArray<File> = [
  { name: "MP3", extension: "mp3", options: ["-b:a", "64k"], rate: 24_000, before: 1_105, after: 1_152 },
  {
    name: "MP3 of two channels and a bitrate that varies",
    extension: "mp3",
    options: [...stereo, "-q:a", "4"],
    rate: 24_000,
    before: 1_105,
    after: 1_152
  },
  {
    name: "MP3 of MPEG-1",
    extension: "mp3",
    options: ["-ar", "44100", "-b:a", "128k"],
    rate: 44_100,
    before: 1_105,
    after: 2_304
  },
  { name: "FLAC of 16 bits", extension: "flac", options: [], rate: 24_000 },
  {
    name: "FLAC of 24 bits and two channels",
    extension: "flac",
    options: [...stereo, "-sample_fmt", "s32", "-bits_per_raw_sample", "24"],
    rate: 24_000
  },
  { name: "Opus", extension: "ogg", options: ["-c:a", "libopus", "-b:a", "64k"], rate: 48_000 },
  {
    name: "Opus of two channels in frames of 60 ms",
    extension: "opus",
    options: [...stereo, "-c:a", "libopus", "-frame_duration", "60"],
    rate: 48_000
  },
  { name: "AAC in ADTS", extension: "aac", options: ["-c:a", "aac", "-b:a", "64k"], rate: 24_000, after: 2_048 },
  { name: "AAC in MP4", extension: "m4a", options: ["-c:a", "aac", "-b:a", "64k"], rate: 24_000 },
  {
    name: "AAC of two channels in MP4",
    extension: "m4a",
    options: [...stereo, "-ar", "48000", "-c:a", "aac", "-b:a", "128k"],
    rate: 48_000
  },
  {
    name: "AAC in MP4 of fragments",
    extension: "mp4",
    options: ["-c:a", "aac", "-movflags", "+frag_keyframe+empty_moov"],
    rate: 24_000,
    before: 1_024
  }
]

describe.skipIf(!hasFfmpeg)("compared with ffmpeg", () => {
  layer(AudioCodecsWasm.layer({ threads: 1 }), { excludeTestServices: true })("decoding", (it) => {
    for (const { after = 0, before = 0, extension, name, options, rate } of files) {
      it.effect(`gives the audio of ${name}, whatever the name of the file`, () =>
        Effect.gen(function*() {
          const decoded = yield* decodeFile(yield* fileOf(extension, ...options), { filename: "clip.ulaw" })
          assert.strictEqual(decoded.rate, rate)
          assert.isAtLeast(decoded.samples.length, Math.floor(2.5 * rate))
          assert.isAtMost(decoded.samples.length, Math.ceil(2.5 * rate) + before + after)
          assert.isAbove(likeness(voiceOf(rate, 2.5).samples, decoded.samples, before), 12)
        }))
    }

    it.effect("gives FLAC of every length, but for a short last frame that libFLAC may drop", () =>
      Effect.gen(function*() {
        for (let length = 1.0; length < 1.02; length += 0.002) {
          const decoded = yield* decodeFile(yield* fileOf("flac", "-t", length.toFixed(3)))
          assert.isAtMost(decoded.samples.length, length * 24_000 + 24)
          assert.isAbove(decoded.samples.length, length * 24_000 - 4_608)
        }
      }))

    it.effect("gives AAC like ffmpeg does, but for noise", () =>
      Effect.gen(function*() {
        for (const coder of ["fast", "twoloop"]) {
          for (const [channels, rate] of [["1", "8000"], ["1", "22050"], ["2", "44100"], ["2", "96000"]] as const) {
            const aac = ["-c:a", "aac", "-aac_coder", coder, "-aac_pns", "0", "-b:a", "48k"]
            const bytes = yield* fileOf("aac", "-ar", rate, "-ac", channels, ...aac)
            const decoded = yield* decodeFile(bytes)
            const expected = yield* decodedByFfmpeg(
              bytes,
              ["-af", "pan=mono|c0<c0+c1"].slice(0, channels === "2" ? 2 : 0)
            )
            assert.strictEqual(decoded.samples.length, expected.length - 1_024)
            assert.isAbove(likeness(decoded.samples, expected, 1_024), 100, `${coder}, ${channels}, ${rate}`)
          }
        }
      }))

    it.effect("rejects codecs that are not supported", () =>
      Effect.gen(function*() {
        const others = [
          ["m4a", "-c:a", "alac"],
          ["ogg", "-c:a", "libvorbis"],
          ["webm", "-c:a", "libopus"],
          ["wma", "-c:a", "wmav2"],
          ["ogg", "-ac", "6", "-c:a", "libopus"]
        ] as const
        for (const [extension, ...options] of others) {
          const error = yield* Effect.flip(decodeFile(yield* fileOf(extension, ...options)))
          assert.deepInclude(error, { _tag: "ClipRefused", reason: "unreadable" }, extension)
        }
      }))

    it.effect("gives no more than the limit, whatever encoders add", () =>
      Effect.gen(function*() {
        const { decode } = yield* AudioCodecs
        const clip = { filename: null, contentType: null }
        for (const extension of ["mp3", "flac", "opus", "aac", "m4a"]) {
          const bytes = yield* fileOf(extension, "-strict", "-2")
          const decoded = yield* decode({ ...clip, bytes }, { seconds: 2.5 })
          assert.closeTo(durationOf(decoded), 2.5, 1e-9, extension)
          const error = yield* Effect.flip(decode({ ...clip, bytes }, { seconds: 2.3 }))
          assert.deepInclude(error, { _tag: "ClipRefused", reason: "too_long" }, extension)
        }
      }))
  })
})
