import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { adtsFrames, parseAudioSpecificConfig } from "../../src/aac/AacConfig.js"
import { AacDecoder } from "../../src/aac/AacDecoder.js"
import { AacError } from "../../src/aac/BitReader.js"
import { type Bits, bytesOfBits } from "./Bits.js"
import { rate, voice, voiceAdts } from "./Voice.js"

const concat = (parts: ReadonlyArray<Uint8Array>): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]))

/** Frames of an ADTS stream without their headers. */
const blocksOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const blocks: Array<Uint8Array> = []
  for (let at = 0; at < bytes.length;) {
    const length = ((bytes[at + 3] ?? 0) & 3) << 11 | (bytes[at + 4] ?? 0) << 3 | (bytes[at + 5] ?? 0) >> 5
    blocks.push(bytes.subarray(at + 7, at + length))
    at += length
  }
  return blocks
}

const blocks = blocksOf(voiceAdts)

/** A frame of AAC-LC at 16 kHz. */
const frameOf = (blocks: ReadonlyArray<Uint8Array>, { sum = [] }: { readonly sum?: ReadonlyArray<Bits> } = {}) => {
  const body = concat(blocks)
  const length = 7 + sum.length * 2 + body.length
  return bytesOfBits([
    [0xFFF, 12],
    [0, 3],
    [sum.length === 0 ? 1 : 0, 1],
    [1, 2],
    [8, 4],
    [0, 8],
    [length, 13],
    [0x7FF, 11],
    [blocks.length - 1, 2],
    ...sum
  ], body)
}

/** Samples of the first channel of an ADTS stream. */
const decodeAdts = (bytes: Uint8Array): Float32Array => {
  const samples: Array<number> = []
  let decoder: AacDecoder | null = null
  for (const { bits, blocks, config } of adtsFrames(bytes)) {
    decoder ??= new AacDecoder(config)
    for (let block = 0; block < blocks; block++) samples.push(...decoder.decodeBlock(bits)[0] ?? [])
  }
  return Float32Array.from(samples)
}

const expected = decodeAdts(voiceAdts)

describe("an ADTS stream", () => {
  it("decodes to the voice that was encoded, 1,024 samples late", () => {
    let signal = 0
    let noise = 0
    for (const [at, sample] of voice.entries()) {
      signal += sample ** 2
      noise += (sample - (expected[at + 1_024] ?? 0)) ** 2
    }
    assert.isAbove(10 * Math.log10(signal / noise), 12)
    assert.deepStrictEqual([...adtsFrames(voiceAdts)].map(({ config }) => config.rate), blocks.map(() => rate))
  })

  it("is the same when it is put together again from its blocks", () => {
    assert.deepStrictEqual(concat(blocks.map((block) => frameOf([block]))).length, voiceAdts.length)
  })

  it("may have several blocks in a frame", () => {
    const pairs = Array.from({ length: Math.ceil(blocks.length / 2) }, (_, at) => blocks.slice(at * 2, at * 2 + 2))
    assert.deepStrictEqual(decodeAdts(concat(pairs.map((pair) => frameOf(pair)))), expected)
  })

  it("may have checksums, which are skipped", () => {
    assert.deepStrictEqual(decodeAdts(concat(blocks.map((block) => frameOf([block], { sum: [[0, 16]] })))), expected)
  })

  it("ends where other bytes follow", () => {
    assert.deepStrictEqual(decodeAdts(concat([voiceAdts, new Uint8Array(128).fill(7)])), expected)
  })

  it.prop(
    "that is damaged decodes or throws an AacError, and never anything else",
    [FastCheck.array(FastCheck.tuple(FastCheck.nat(voiceAdts.length - 1), FastCheck.nat(255)), { minLength: 1 })],
    ([changes]) => {
      const bytes = voiceAdts.slice()
      for (const [at, byte] of changes) bytes[at] = byte
      try {
        assert.isTrue(decodeAdts(bytes).every(Number.isFinite))
      } catch (error) {
        assert.instanceOf(error, AacError)
      }
    },
    { fastCheck: { numRuns: 30 } }
  )
})

/** Elements without audio: two bytes of data, a program configuration with two channels and a comment, fill bytes. */
const otherElements: Readonly<Record<string, ReadonlyArray<Bits>>> = {
  "data": [[4, 3], [0, 4], [0, 1], [2, 8], [0xABCD, 16]],
  "fill bytes": [[6, 3], [15, 4], [3, 8], [0, 17 * 8]],
  "a program configuration": [
    [5, 3],
    [0, 4],
    [1, 2],
    [8, 4],
    ...[2, 0, 0].map((count): Bits => [count, 4]),
    [0, 2],
    [0, 3],
    [0, 4],
    [0, 1],
    [1, 1],
    [0, 4],
    [0, 1],
    [0, 5],
    [1, 5],
    [0, 5],
    [1, 8],
    [65, 8]
  ]
}

describe("a block", () => {
  for (const [name, element] of Object.entries(otherElements)) {
    it(`may have other elements before the audio, such as ${name}`, () => {
      const config = parseAudioSpecificConfig(bytesOfBits([[2, 5], [8, 4], [1, 4], [0, 3]]))
      const [plain, other] = [new AacDecoder(config), new AacDecoder(config)]
      for (const block of blocks) {
        const whole = plain.decode(block)
        assert.deepStrictEqual(other.decode(bytesOfBits(element, block)), whole)
      }
    })
  }
})

describe("parseAudioSpecificConfig", () => {
  it("reads AAC-LC, and the core of HE-AAC", () => {
    const rateOf = (...bits: ReadonlyArray<Bits>) => parseAudioSpecificConfig(bytesOfBits(bits)).rate
    assert.strictEqual(rateOf([2, 5], [4, 4], [2, 4], [0, 3]), 44_100)
    assert.strictEqual(rateOf([2, 5], [15, 4], [11_025, 24], [2, 4], [0, 3]), 11_025)
    assert.strictEqual(rateOf([5, 5], [6, 4], [1, 4], [3, 4], [2, 5], [0, 3]), 24_000)
    assert.strictEqual(rateOf([29, 5], [7, 4], [1, 4], [4, 4], [2, 5], [0, 3]), 22_050)
  })

  it("rejects other object types, reserved rates and short frames", () => {
    for (
      const bits of [
        [[1, 5], [4, 4], [2, 4], [0, 3]],
        [[31, 5], [10, 6], [4, 4], [2, 4], [0, 3]],
        [[2, 5], [13, 4], [2, 4], [0, 3]],
        [[2, 5], [4, 4], [2, 4], [1, 1], [0, 2]]
      ] as const
    ) {
      assert.throws(() => parseAudioSpecificConfig(bytesOfBits(bits)), AacError)
    }
  })
})
