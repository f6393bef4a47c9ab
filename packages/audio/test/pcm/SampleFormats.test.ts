import { assert, describe, it } from "@effect/vitest"
import { fromLinear16, fromPcm16, toLinear16, toPcm16 } from "@trunkline/audio"
import { concatBytes } from "@trunkline/kernel"

const allNumbers = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768)

describe("16-bit PCM", () => {
  it("converts every number to a sample and back", () => {
    const samples = fromPcm16(allNumbers)
    assert.deepStrictEqual(toPcm16(samples), allNumbers)
    assert.deepStrictEqual(fromLinear16(toLinear16(samples)), samples)
    assert.deepStrictEqual([samples[0], samples[32_768], samples[65_535]], [-1, 0, 32_767 / 32_768])
  })

  it("rounds and clamps samples, and converts NaN to 0", () => {
    const samples = Float32Array.of(0.4 / 32_768, 0.6 / 32_768, -0.6 / 32_768, 1, 1.5, Infinity, -1.5, -Infinity, NaN)
    assert.deepStrictEqual([...toPcm16(samples)], [0, 1, -1, 32_767, 32_767, 32_767, -32_768, -32_768, 0])
    assert.deepStrictEqual(fromLinear16(toLinear16(samples)), fromPcm16(toPcm16(samples)))
  })

  it("is little endian, is decoded at any offset, and ignores a last odd byte", () => {
    const bytes = toLinear16(Float32Array.of(0x1234 / 32_768, -1))
    assert.deepStrictEqual([...bytes], [0x34, 0x12, 0x00, 0x80])
    const around = concatBytes([Uint8Array.of(9), bytes, Uint8Array.of(9)])
    assert.deepStrictEqual([...fromLinear16(around.subarray(1))], [0x1234 / 32_768, -1])
  })
})
