import { assert, describe, it } from "@effect/vitest"
import { concatBytes } from "@trunkline/kernel"
import { readAacConfig } from "../../src/aac/AacConfig.js"
import { AacDecoder } from "../../src/aac/AacDecoder.js"
import { adtsFrameAt } from "../../src/aac/Adts.js"
import { BitReader } from "../../src/aac/BitReader.js"
import { decodeAdts } from "../../src/decode/Adts.js"
import { Intake } from "../../src/decode/Intake.js"
import { encodeAac } from "../../src/encode/Aac.js"
import { voiceOf } from "../Voice.js"
import { type Bits, bytesOfBits } from "./Bits.js"

const { rate, samples } = voiceOf(16_000, 0.5)

const file = await encodeAac({
  codec: "aac",
  rate: 16_000,
  asked: 16_000,
  bitrate: "128k",
  samples: new Float32Array(samples)
})

/** What is behind the headers of a file. */
const blocksOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const blocks: Array<Uint8Array> = []
  for (let at = 0, frame = adtsFrameAt(bytes, at); frame !== null; at = frame.next, frame = adtsFrameAt(bytes, at)) {
    blocks.push(bytes.subarray(at + 7, frame.next))
  }
  return blocks
}

const blocks = blocksOf(file)

/** A frame of AAC-LC at 16 kHz. */
const frameOf = (blocks: ReadonlyArray<Uint8Array>, { sum = [] }: { readonly sum?: ReadonlyArray<Bits> } = {}) => {
  const body = concatBytes(blocks)
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

const heard = async (bytes: Uint8Array) => {
  const intake = new Intake({ seconds: 15, padding: 0 })
  await decodeAdts(bytes, intake)
  return intake.sound
}

const expected = await heard(file)

describe("ADTS", () => {
  it("is written with frames that are found again", () => {
    assert.deepStrictEqual(concatBytes(blocks.map((block) => frameOf([block]))).length, file.length)
    assert.strictEqual(expected.rate, rate)
  })

  it("has several blocks in a frame", async () => {
    const pairs = Array.from({ length: Math.ceil(blocks.length / 2) }, (_, at) => blocks.slice(at * 2, at * 2 + 2))
    assert.deepStrictEqual(await heard(concatBytes(pairs.map((pair) => frameOf(pair)))), expected)
  })

  it("has checksums, which are passed over", async () => {
    assert.deepStrictEqual(
      await heard(concatBytes(blocks.map((block) => frameOf([block], { sum: [[0, 16]] })))),
      expected
    )
  })

  it("has a tag before it, and something else behind it", async () => {
    const tag = Uint8Array.of(0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 3, 1, 2, 3)
    assert.deepStrictEqual(await heard(concatBytes([tag, file, new Uint8Array(128).fill(7)])), expected)
  })
})

/**
 * An element that says nothing of the sound: data of two bytes, a program with two channels and a comment, a filling.
 */
const others: Readonly<Record<string, ReadonlyArray<Bits>>> = {
  data: [[4, 3], [0, 4], [0, 1], [2, 8], [0xABCD, 16]],
  filling: [[6, 3], [15, 4], [3, 8], [0, 17 * 8]],
  program: [
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
  for (const [name, element] of Object.entries(others)) {
    it(`has elements beside the sound, such as a ${name}`, () => {
      const config = readAacConfig(bytesOfBits([[2, 5], [8, 4], [1, 4], [0, 3]]))
      const [plain, other] = [new AacDecoder(config), new AacDecoder(config)]
      for (const block of blocks) {
        const whole = plain.block(new BitReader(block))
        assert.deepStrictEqual(other.block(new BitReader(bytesOfBits(element, block))), whole)
      }
    })
  }
})

describe("the configuration of AAC", () => {
  it("is that of AAC-LC, also of the core of HE-AAC", () => {
    const rateOf = (...bits: ReadonlyArray<Bits>) => readAacConfig(bytesOfBits(bits)).rate
    assert.strictEqual(rateOf([2, 5], [4, 4], [2, 4], [0, 3]), 44_100)
    assert.strictEqual(rateOf([2, 5], [15, 4], [11_025, 24], [2, 4], [0, 3]), 11_025)
    assert.strictEqual(rateOf([5, 5], [6, 4], [1, 4], [3, 4], [2, 5], [0, 3]), 24_000)
    assert.strictEqual(rateOf([29, 5], [7, 4], [1, 4], [4, 4], [2, 5], [0, 3]), 22_050)
  })

  it("is not that of another kind, of another rate or of short frames", () => {
    for (
      const bits of [
        [[1, 5], [4, 4], [2, 4], [0, 3]],
        [[31, 5], [10, 6], [4, 4], [2, 4], [0, 3]],
        [[2, 5], [13, 4], [2, 4], [0, 3]],
        [[2, 5], [4, 4], [2, 4], [1, 1], [0, 2]]
      ] as const
    ) {
      assert.throws(() => readAacConfig(bytesOfBits(bits)))
    }
  })
})
