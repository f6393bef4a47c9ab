import { assert, describe, it } from "@effect/vitest"
import { concatBytes } from "@trunkline/kernel"
import { decodeAdts } from "../src/decode/Aac.js"
import { encodeAac } from "../src/encode/Mediabunny.js"
import { Intake, UnreadableClip } from "../src/Intake.js"
import { likeness, voiceOf } from "./Voice.js"

const { rate, samples } = voiceOf(16_000, 0.5)

const file = await encodeAac({
  codec: "aac",
  rate: 16_000,
  originalRate: 16_000,
  bitrate: "128k",
  samples: new Float32Array(samples)
})

const decode = async (bytes: Uint8Array) => {
  const intake = new Intake({ seconds: 15, padding: 0 })
  await decodeAdts(bytes, intake)
  return intake.audio
}

describe("ADTS", () => {
  it("decodes to what was encoded, without the first block", async () => {
    const audio = await decode(file)
    assert.strictEqual(audio.rate, rate)
    assert.isAbove(likeness(samples, audio.samples, 0), 12)
  })

  it("may have an ID3 tag before it, and other bytes behind it", async () => {
    const tag = Uint8Array.of(0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 3, 1, 2, 3)
    const expected = await decode(file)
    assert.deepStrictEqual(await decode(concatBytes([tag, file, new Uint8Array(128).fill(7)])), expected)
  })

  it("is unreadable when it holds no frame, or one of another kind of AAC", async () => {
    for (const bytes of [new Uint8Array(100), Uint8Array.from(file, (byte, at) => at === 2 ? byte & 0x3F : byte)]) {
      const error = await decode(bytes).then(() => null, (error: unknown) => error)
      assert.instanceOf(error, UnreadableClip)
    }
  })
})
