import { assert, describe, it } from "@effect/vitest"
import { durationOf, toLinear16 } from "@trunkline/audio"
import { Effect, Either, FastCheck } from "effect"
import { makeAudioReader } from "../src/AudioReader.js"
import { answering, samplesOf, synthesizerBefore, tone, utterance, wavOf } from "./Speaking.js"

const rate = 24_000
const audio = tone(0.25)
const pcm = toLinear16(audio.samples)

/** Bytes cut at some places, none of them lost. */
const cutAt = (bytes: Uint8Array, places: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const edges = [0, ...[...places].map((place) => place % bytes.length).sort((one, other) => one - other), bytes.length]
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
}

const spokenFrom = (
  type: string | null,
  pieces: ReadonlyArray<Uint8Array | string>,
  responseFormat: "pcm" | "wav" = "pcm"
) =>
  Effect.flatMap(
    synthesizerBefore(answering(type, ...pieces), { responseFormat }),
    ({ speak }) => samplesOf(speak(utterance()))
  )

/** A WAV file with chunks before its sound. */
const withChunks = (wav: Uint8Array): Uint8Array => {
  const list = Buffer.from("LIST\x0A\0\0\0INFOdataXX", "latin1")
  const bytes = Buffer.concat([wav.subarray(0, 36), list, wav.subarray(36)])
  bytes.writeUInt32LE(bytes.length - 8, 4)
  return bytes
}

/** A WAV file with a chunk after its sound. */
const followed = (wav: Uint8Array): Uint8Array => {
  const bytes = Buffer.concat([wav, Buffer.from("LIST\x04\0\0\0INFO", "latin1")])
  bytes.writeUInt32LE(bytes.length - 8, 4)
  return bytes
}

describe("the audio of a response", () => {
  it.scoped("is raw samples", () =>
    Effect.gen(function*() {
      for (const type of ["audio/pcm", "audio/L16; rate=24000", "application/octet-stream", null]) {
        assert.deepStrictEqual(yield* spokenFrom(type, [pcm]), audio.samples)
      }
    }))

  it.prop(
    "is the same for any split into chunks",
    [
      FastCheck.constantFrom(pcm, wavOf(audio), withChunks(wavOf(audio)), followed(wavOf(audio))),
      FastCheck.array(FastCheck.nat(), { maxLength: 30 })
    ],
    ([bytes, places]) => {
      const reader = makeAudioReader({ promised: "pcm", rate, type: "" })
      const pieces = [...cutAt(bytes, places).map(reader.push), reader.end()]
      const samples = pieces.flatMap((piece) =>
        piece._tag === "Right" ? Array.from(piece.right) : assert.fail(piece.left)
      )
      assert.deepStrictEqual(Float32Array.from(samples), audio.samples)
    }
  )

  it("is the same byte by byte", () => {
    const reader = makeAudioReader({ promised: "wav", rate, type: "audio/wav" })
    const bytes = wavOf(audio)
    const pieces = [...Array.from(bytes, (byte) => reader.push(Uint8Array.of(byte))), reader.end()]
    const samples = pieces.flatMap((piece) =>
      piece._tag === "Right" ? Array.from(piece.right) : assert.fail(piece.left)
    )
    assert.deepStrictEqual(Float32Array.from(samples), audio.samples)
  })

  const wavs: Readonly<Record<string, Uint8Array>> = {
    "a header whose sizes are true": wavOf(audio),
    "sizes that are not known": wavOf(audio, { file: 0xFFFFFFFF, data: 0xFFFFFFFF }),
    "sizes of nothing": wavOf(audio, { file: 36, data: 0 }),
    "the size of no sound in a file without end": wavOf(audio, { file: 0xFFFFFFFF, data: 0 }),
    "the size of no sound in a file whose size is true": wavOf(audio, { file: 36 + pcm.length, data: 0 }),
    "the size of its first piece in a file without end": wavOf(audio, { file: 0xFFFFFFFF, data: 4_000 }),
    "sizes of two gigabytes": wavOf(audio, { file: 0x7FFFFFFF - 36, data: 0xFFFFFFFF }),
    "sizes of its first piece alone": wavOf(audio, { file: 36 + 4_000, data: 4_000 }),
    "chunks before its sound": withChunks(wavOf(audio)),
    "a chunk after its sound": followed(wavOf(audio))
  }
  for (const [name, wav] of Object.entries(wavs)) {
    for (const promised of ["wav", "pcm"] as const) {
      it.scoped(`is that of a WAV file with ${name}, where ${promised} is promised`, () =>
        Effect.gen(function*() {
          assert.deepStrictEqual(
            yield* spokenFrom("audio/wav", [wav.subarray(0, 44), wav.subarray(44)], promised),
            audio.samples
          )
        }))
    }
  }

  it.scoped("is resampled from the rate of a WAV file to that of the engine", () =>
    Effect.gen(function*() {
      for (const other of [16_000, 22_050, 44_100, 48_000]) {
        const samples = yield* spokenFrom("audio/wav", [wavOf(tone(0.25, other))], "wav")
        assert.closeTo(durationOf({ rate, samples }), 0.25, 0.001)
        const middle = samples.subarray(2_000, 4_000)
        const expected = audio.samples.subarray(2_000, 4_000)
        const error = middle.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (expected[at] ?? 0))), 0)
        assert.isBelow(error, 0.01, `from ${other}`)
      }
    }))

  it.scoped("is read from WAV files with two channels or floats", () =>
    Effect.gen(function*() {
      const stereo = Buffer.concat([
        wavOf(audio).subarray(0, 44),
        ...Array.from(audio.samples, (sample) => toLinear16(Float32Array.of(sample, sample)))
      ])
      stereo.writeUInt16LE(2, 22)
      stereo.writeUInt16LE(4, 32)
      const floats = Buffer.concat([wavOf(audio).subarray(0, 44), Buffer.from(audio.samples.buffer)])
      floats.writeUInt16LE(3, 20)
      floats.writeUInt16LE(4, 32)
      floats.writeUInt16LE(32, 34)
      for (const bytes of [stereo, floats]) {
        assert.deepStrictEqual(yield* spokenFrom("audio/x-wav", [bytes]), audio.samples)
      }
    }))

  it.scoped("is detected as WAV for any content type", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* spokenFrom("audio/mpeg", [wavOf(audio)]), audio.samples)
    }))

  it.scoped("may be shorter than a WAV header", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* spokenFrom("audio/pcm", [pcm.subarray(0, 4)]), audio.samples.subarray(0, 2))
    }))
})

describe("a response without audio is malformed", () => {
  const json = JSON.stringify({ error: "the words were: my mother's maiden name" })
  const answers: Readonly<Record<string, readonly [type: string | null, body: Uint8Array | string, promised?: "wav"]>> =
    {
      "JSON": ["application/json; charset=utf-8", json],
      "a problem": ["application/problem+json", json],
      "a page": ["text/html", "<!doctype html><title>Sign in</title>"],
      "events": ["text/event-stream", "data: {}\n\n"],
      "JSON that is called sound": ["audio/pcm", json],
      "a page that is called nothing": [null, "<html><body>Gateway</body></html>"],
      "MP3": ["audio/mpeg", new Uint8Array(1_000)],
      "MP3 that is called nothing": [null, "ID3\x04\0\0\0\0\0\0\0\0\0\0"],
      "Ogg": ["audio/pcm", "OggS\0\0\0\0\0\0\0\0\0\0"],
      "FLAC": ["application/octet-stream", "fLaC\0\0\0\0\0\0\0\0\0\0"],
      "bare samples for WAV": ["audio/wav", pcm, "wav"],
      "nothing": ["audio/pcm", ""],
      "half a sample": ["audio/pcm", Uint8Array.of(1)],
      "a WAV file without sound": ["audio/wav", wavOf(tone(0)), "wav"],
      "half a header": ["audio/wav", wavOf(audio).subarray(0, 30), "wav"],
      "a WAV file of a kind that nobody knows": [
        "audio/wav",
        (() => {
          const bytes = Buffer.from(wavOf(audio))
          bytes.writeUInt16LE(85, 20)
          return bytes
        })(),
        "wav"
      ]
    }
  for (const [name, [type, body, promised]] of Object.entries(answers)) {
    it.scoped(name, () =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(spokenFrom(type, [body], promised))
        assert.deepStrictEqual([failure._tag, failure.message], [
          "ModelFailed",
          "The speech server gave an answer that makes no sense. Try again."
        ])
      }))
  }

  it("a WAV file whose data never begins fails at once", () => {
    const reader = makeAudioReader({ promised: "wav", rate, type: "audio/wav" })
    const junk = Buffer.from("RIFF\xFF\xFF\xFF\xFFWAVEJUNK\xFF\xFF\xFF\xFF", "latin1")
    assert.isTrue(Either.isRight(reader.push(junk)))
    assert.isTrue(Either.isLeft(reader.push(new Uint8Array(64 * 1024))))
  })

  it.scoped("endless audio fails", () =>
    Effect.gen(function*() {
      const minute = { write: new Uint8Array(60 * 2 * 8_000).fill(1) }
      const { server, speak } = yield* synthesizerBefore([...Array.from({ length: 20 }, () => minute), "hang"], {
        nativeRate: 8_000
      })
      const failure = yield* Effect.flip(samplesOf(speak(utterance())))
      assert.strictEqual(failure._tag, "ModelFailed")
      yield* Effect.promise(async () => server.requests[0]?.closed)
    }))
})
