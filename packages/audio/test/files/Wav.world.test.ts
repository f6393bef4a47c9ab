import { assert, describe, it } from "@effect/vitest"
import { readWav, toLinear16, wavHeader, wavHeaderBytes } from "@trunkline/audio"
import { toneOf } from "@trunkline/audio/testing"
import { concatBytes } from "@trunkline/kernel"
import { Either, FastCheck } from "effect"
import { isInstalled, output } from "../Tools.js"
import { type Chunk, data, fmt, little, wavFile } from "./WavFile.js"

const limit = { seconds: 10 }

const samplesOf = (bytes: Uint8Array) => [...Either.getOrThrow(readWav(bytes, limit)).samples]

const reasonOf = (bytes: Uint8Array) =>
  Either.match(readWav(bytes, limit), { onLeft: ({ reason }) => reason, onRight: () => "none" })

const floats = (bytes: 4 | 8, ...numbers: ReadonlyArray<number>) => {
  const view = new DataView(new ArrayBuffer(numbers.length * bytes))
  numbers.forEach((number, at) =>
    bytes === 4 ? view.setFloat32(at * 4, number, true) : view.setFloat64(at * 8, number, true)
  )
  return new Uint8Array(view.buffer)
}

const junk: Chunk = { tag: "LIST", bytes: Uint8Array.of(1, 2, 3) }

const pcm = fmt({ code: 1, bits: 16 })

/** Three 16-bit samples: 0.5, 0 and -0.25. */
const half = toLinear16(Float32Array.of(0.5, 0, -0.25))

describe("readWav", () => {
  it("decodes PCM of 8, 16, 24 and 32 bits", () => {
    const read = (bits: number, ...bytes: ReadonlyArray<number>) =>
      samplesOf(wavFile([fmt({ code: 1, bits }), data(Uint8Array.from(bytes))]))
    assert.deepStrictEqual(read(8, 0, 128, 192), [-1, 0, 0.5])
    assert.deepStrictEqual(read(16, 0, 0x80, 0, 0, 0, 0x40), [-1, 0, 0.5])
    assert.deepStrictEqual(read(24, 0, 0, 0x80, 0, 0, 0, 0, 0, 0x40), [-1, 0, 0.5])
    assert.deepStrictEqual(read(24, 0xFF, 0xFF, 0xFF), [-1 / 8_388_608])
    assert.deepStrictEqual(read(32, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x40), [-1, 0, 0.5])
  })

  it("decodes and clamps floats, and treats NaN as silence", () => {
    const numbers = [0.25, -0.5, 2, -Infinity, Number.NaN]
    const expected = [0.25, -0.5, 1, -1, 0]
    assert.deepStrictEqual(samplesOf(wavFile([fmt({ code: 3, bits: 32 }), data(floats(4, ...numbers))])), expected)
    assert.deepStrictEqual(samplesOf(wavFile([fmt({ code: 3, bits: 64 }), data(floats(8, ...numbers))])), expected)
  })

  it("decodes A-law and mu-law", () => {
    const bytes = Uint8Array.of(0x80, 0xD5)
    assert.deepStrictEqual(samplesOf(wavFile([fmt({ code: 6, bits: 8 }), data(bytes)])), [5_504 / 32_768, 8 / 32_768])
    assert.deepStrictEqual(samplesOf(wavFile([fmt({ code: 7, bits: 8 }), data(bytes)])), [
      32_124 / 32_768,
      716 / 32_768
    ])
  })

  it("decodes the format that an extensible header declares", () => {
    const extensible = (sub: number, bits: number, bytes: Uint8Array) =>
      samplesOf(wavFile([fmt({ code: 0xFFFE, bits, sub }), data(bytes)]))
    assert.deepStrictEqual(extensible(1, 16, half), [0.5, 0, -0.25])
    assert.deepStrictEqual(extensible(3, 32, floats(4, 0.5)), [0.5])
  })

  it("averages channels", () => {
    const samples = Float32Array.of(0.5, 0, 1 / 32_768, -0.5, -0.5, 0.25)
    const stereo = wavFile([fmt({ code: 1, bits: 16, channels: 2 }), data(toLinear16(samples))])
    assert.deepStrictEqual(samplesOf(stereo), [0.25, (1 / 32_768 - 0.5) / 2, -0.125])
    const three = wavFile([fmt({ code: 1, bits: 16, channels: 3 }), data(toLinear16(Float32Array.of(0.75, 0, 0, 0.5)))])
    assert.deepStrictEqual(samplesOf(three), [0.25])
  })

  it("finds chunks in any order, after odd ones, and at any offset of a buffer", () => {
    for (
      const chunks of [[junk, pcm, junk, data(half), junk], [data(half), junk, pcm], [pcm, data(half), data(half)]]
    ) {
      const file = concatBytes([Uint8Array.of(0), wavFile(chunks)]).subarray(1)
      assert.deepStrictEqual(samplesOf(file), [0.5, 0, -0.25])
    }
  })

  it("reads to the end if the size is unknown or too large", () => {
    for (const size of [0xFF_FF_FF_FF, 0x7F_FF_FF_FF, 0x10_00, half.length + 1]) {
      assert.deepStrictEqual(samplesOf(wavFile([pcm, data(half, size)])), [0.5, 0, -0.25], `${size}`)
      assert.deepStrictEqual(samplesOf(wavFile([pcm, data(half, size)], 0xFF_FF_FF_FF)), [0.5, 0, -0.25], `${size}`)
    }
    assert.deepStrictEqual(samplesOf(wavFile([pcm, data(half, 0)], 0)), [0.5, 0, -0.25])
    assert.deepStrictEqual(samplesOf(wavFile([pcm, data(half, 4), junk])), [0.5, 0])
  })

  it("reads sound behind a size of 0, whatever the size of the file says", () => {
    const length = wavFile([pcm, data(half, 0)]).length - 8
    for (const size of [0, 36, length, length + 1, 0xFF_FF_FF_FF]) {
      assert.deepStrictEqual(samplesOf(wavFile([pcm, data(half, 0)], size)), [0.5, 0, -0.25], `${size}`)
    }
    const silence = wavFile([pcm, data(new Uint8Array(16), 0)])
    assert.deepStrictEqual(samplesOf(silence), [0, 0, 0, 0, 0, 0, 0, 0])
  })

  it("trusts a size of 0 if only chunks follow", () => {
    for (const chunks of [[], [junk], [junk, { tag: "id3 ", bytes: half }]]) {
      for (const size of [undefined, 0, 0xFF_FF_FF_FF]) {
        assert.strictEqual(reasonOf(wavFile([pcm, data(new Uint8Array()), ...chunks], size)), "empty")
      }
    }
  })

  it("ignores a truncated frame", () => {
    const file = wavFile([fmt({ code: 1, bits: 16, channels: 2 }), data(half)])
    assert.deepStrictEqual(samplesOf(file), [0.25])
    assert.strictEqual(reasonOf(wavFile([pcm, data(Uint8Array.of(1))])), "empty")
  })

  it("rejects other files, unknown encodings and damaged files", () => {
    const files = [
      new Uint8Array(),
      new TextEncoder().encode("RIFF"),
      new TextEncoder().encode("RIFF....AVI LIST"),
      wavFile([]),
      wavFile([pcm]),
      wavFile([data(half)]),
      wavFile([{ tag: "fmt ", bytes: pcm.bytes.subarray(0, 15) }, data(half)]),
      wavFile([fmt({ code: 2, bits: 4 }), data(half)]),
      wavFile([fmt({ code: 1, bits: 16, channels: 0 }), data(half)]),
      wavFile([fmt({ code: 1, bits: 64 }), data(half)]),
      wavFile([fmt({ code: 3, bits: 16 }), data(half)]),
      wavFile([fmt({ code: 0xFFFE, bits: 16 }), data(half)]),
      wavFile([fmt({ code: 1, bits: 16, rate: 0 }), data(half)]),
      wavFile([fmt({ code: 1, bits: 16, rate: 999 }), data(half)]),
      wavFile([fmt({ code: 1, bits: 16, rate: 384_001 }), data(half)])
    ]
    assert.deepStrictEqual(files.map(reasonOf), files.map(() => "unreadable"))
  })

  it("scans at most a thousand chunks", () => {
    const chunks = (count: number) =>
      Array.from({ length: count }, (): Chunk => ({ tag: "none", bytes: new Uint8Array() }))
    assert.strictEqual(reasonOf(wavFile([...chunks(998), pcm, data(half)])), "none")
    assert.strictEqual(reasonOf(wavFile([...chunks(999), pcm, data(half)])), "unreadable")
  })

  it("accepts audio up to and including the limit", () => {
    const lasting = (samples: number) => wavFile([pcm, data(new Uint8Array(samples * 2))])
    assert.strictEqual(reasonOf(lasting(80_000)), "none")
    assert.strictEqual(reasonOf(lasting(80_001)), "too_long")
  })

  it.prop(
    "never throws, and never returns more samples than bytes",
    [FastCheck.uint8Array({ maxLength: 90 }), FastCheck.uint8Array({ minLength: 16, maxLength: 40 })],
    ([bytes, format]) => {
      const files = [
        concatBytes([new TextEncoder().encode("RIFF...."), bytes]),
        concatBytes([new TextEncoder().encode("RIFF....WAVE"), bytes]),
        wavFile([{ tag: "fmt ", bytes: format }, data(bytes)]),
        wavFile([
          { tag: "fmt ", bytes: concatBytes([Uint8Array.of(1, 0, 1, 0), little(8_000, 4), format.subarray(8)]) },
          data(bytes)
        ])
      ]
      for (const file of files) {
        const read = readWav(file, { seconds: 1e9 })
        if (Either.isRight(read)) assert.isAtMost(read.right.samples.length, bytes.length)
        else assert.include(["unreadable", "empty"], read.left.reason)
      }
    }
  )

  describe.skipIf(!isInstalled("ffmpeg"))("beside ffmpeg", () => {
    const tone = ["-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=22050:duration=0.5"]

    it.each(
      ["pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_f64le", "pcm_alaw", "pcm_mulaw"]
    )("decodes its %s of two channels from a pipe", (codec) => {
      const file = output("ffmpeg", [
        ...tone,
        "-af",
        "pan=stereo|c0=4*c0|c1=4*c0",
        "-c:a",
        codec,
        "-f",
        "wav",
        "pipe:1"
      ])
      const audio = Either.getOrThrow(readWav(file, limit))
      assert.deepStrictEqual([audio.rate, audio.samples.length], [22_050, 11_025])
      const expected = toneOf({ rate: 22_050, seconds: 0.5, hertz: 440, level: 0.5 })
      const most = audio.samples.reduce(
        (most, sample, at) => Math.max(most, Math.abs(sample - (expected.samples[at] ?? 9))),
        0
      )
      assert.isAtMost(most, codec.endsWith("law") ? 0.02 : codec === "pcm_u8" ? 0.01 : 0.001)
    })
  })
})

describe("a WAV file that writers made in their own ways", () => {
  const format = fmt({ code: 1, bits: 16 })
  const samplesOf = (bytes: Uint8Array) =>
    Either.match(readWav(bytes, { seconds: 10 }), {
      onLeft: ({ message }) => message,
      onRight: ({ samples }) => samples.length
    })
  const odd = { tag: "LIST", bytes: Uint8Array.of(1, 2, 3) }
  const plain = wavFile([format, odd, data(half)])

  it("is read where the byte after a chunk of odd size is missing", () => {
    const at = 12 + 8 + format.bytes.length + 8 + 3
    const without = concatBytes([plain.subarray(0, at), plain.subarray(at + 1)])
    assert.strictEqual(samplesOf(plain), half.length / 2)
    assert.strictEqual(samplesOf(without), half.length / 2)
  })

  it("is read after an ID3 tag", () => {
    const tagged = concatBytes([Uint8Array.of(0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4), plain])
    assert.strictEqual(samplesOf(tagged), half.length / 2)
  })

  it("is read with sizes of 64 bits, up to the end of its data", () => {
    const sizes = concatBytes([little(0, 8), little(half.length, 8), little(0, 12)])
    const long = wavFile(
      [{ tag: "ds64", bytes: sizes }, format, data(half, 0xFF_FF_FF_FF), odd],
      0xFF_FF_FF_FF
    )
    long.set(new TextEncoder().encode("RF64"))
    assert.strictEqual(samplesOf(long), half.length / 2)
  })
})

describe("wavHeader", () => {
  it("has 44 bytes and states the length of the data", () => {
    const header = wavHeader({ rate: 22_050, samples: 3 })
    assert.strictEqual(header.length, wavHeaderBytes)
    assert.deepStrictEqual(concatBytes([header, half]), wavFile([fmt({ code: 1, bits: 16, rate: 22_050 }), data(half)]))
  })

  it("sets both sizes to unknown for a stream", () => {
    const header = wavHeader({ rate: 8_000, samples: null })
    assert.deepStrictEqual(header, wavFile([pcm, data(new Uint8Array(), 0xFF_FF_FF_FF)], 0xFF_FF_FF_FF))
  })

  it.skipIf(!isInstalled("sox"))("is one that sox reads, also of unknown size", () => {
    for (const samples of [3, null]) {
      const bytes = concatBytes([wavHeader({ rate: 8_000, samples }), half])
      assert.deepStrictEqual(output("sox", ["-D", "-t", "wav", "-", "-t", "s16", "-"], bytes), half)
    }
  })
})
