import { assert, describe, it } from "@effect/vitest"
import { concatSamples, toLinear16, wavHeader } from "@trunkline/audio"
import { Either, FastCheck } from "effect"
import { makeWavParser } from "../src/EspeakProcess.js"

const samples = Float32Array.from({ length: 500 }, (_, at) => Math.round(Math.sin(at) * 30_000) / 32_768)
const file = Buffer.concat([wavHeader({ rate: 22_050, samples: null }), toLinear16(samples)])

const readIn = (pieces: ReadonlyArray<Uint8Array>) => {
  const read = makeWavParser()
  return concatSamples(pieces.map((piece) => Either.getOrThrow(read(piece))))
}

describe("the output of espeak", () => {
  it.prop(
    "gives the same samples in chunks of any length",
    [FastCheck.array(FastCheck.nat({ max: file.length }), { maxLength: 40 })],
    ([cuts]) => {
      const at = [0, ...cuts, file.length].toSorted((one, other) => one - other)
      assert.deepStrictEqual(readIn(at.slice(1).map((to, index) => file.subarray(at[index], to))), samples)
    }
  )

  it("can be parsed byte by byte", () => {
    assert.deepStrictEqual(readIn(Array.from(file, (byte) => Uint8Array.of(byte))), samples)
  })

  it("is rejected when it is not WAV, or has another rate", () => {
    assert.isTrue(Either.isLeft(makeWavParser()(Buffer.alloc(44, "Usage: "))))
    assert.isTrue(Either.isLeft(makeWavParser()(wavHeader({ rate: 16_000, samples: null }))))
  })
})
