import { assert, describe, it } from "@effect/vitest"
import { fromLinear16, makeG722Decoder, makeG722Encoder, toLinear16 } from "@trunkline/audio"
import { isInstalled, output } from "../Tools.js"

const sampleRate = 16_000

const raw = ["-f", "s16le", "-ar", String(sampleRate), "-ac", "1"]

/** Sounds of ten seconds that ffmpeg makes: loud and quiet, tonal and noisy, with steps and silence. */
const sources = {
  "a tone": "sine=frequency=440:sample_rate=16000",
  "a sweep up to 8 kHz": "aevalsrc='0.8*sin(2*PI*400*t*t)':s=16000",
  "quiet noise": "anoisesrc=amplitude=0.002:sample_rate=16000:seed=1",
  "noise at full scale": "anoisesrc=amplitude=1:sample_rate=16000:seed=2",
  "square waves at full scale": "aevalsrc='if(lt(mod(t*310,1),0.5),1,-1)':s=16000",
  "bursts": "aevalsrc='lt(mod(t,0.5),0.1)*(0.6*sin(2*PI*900*t)+0.3*sin(2*PI*5300*t))':s=16000",
  "silence": "anullsrc=r=16000:cl=mono"
}

const ffmpeg = (input: ReadonlyArray<string>, out: ReadonlyArray<string>, bytes?: Uint8Array): Uint8Array =>
  output("ffmpeg", ["-v", "error", ...input, ...out, "-"], bytes)

describe.skipIf(!isInstalled("ffmpeg"))("G.722 of ffmpeg", () => {
  for (const [name, source] of Object.entries(sources)) {
    const sound = () => ffmpeg(["-f", "lavfi", "-t", "10", "-i", source], raw)

    it(`has the same bytes as ours for ${name}`, () => {
      const linear = sound()
      const stated = ffmpeg([...raw, "-i", "-"], ["-c:a", "g722", "-f", "g722"], linear)
      const samples = fromLinear16(linear)
      const ours = new Uint8Array(samples.length >> 1)
      makeG722Encoder().encode(samples, ours, 0)
      assert.isAtLeast(stated.length, 80_000)
      assert.deepStrictEqual(ours.subarray(0, stated.length), stated.subarray(0, ours.length))
    })

    it(`has the same samples as ours for the bytes of ${name}`, () => {
      const bytes = ffmpeg(["-f", "lavfi", "-t", "10", "-i", source], [...raw, "-c:a", "g722", "-f", "g722"])
      const stated = ffmpeg(["-f", "g722", "-i", "-"], raw, bytes)
      const samples = new Float32Array(2 * bytes.length)
      makeG722Decoder().decode(bytes, 0, bytes.length, samples, 0)
      assert.deepStrictEqual(toLinear16(samples).subarray(0, stated.length), stated)
    })
  }

  it("has the same samples as ours for bytes that no encoder sends", () => {
    let state = 1
    const bytes = Uint8Array.from({ length: 80_000 }, () => {
      state = Math.imul(state, 1_103_515_245) + 12_345 | 0
      return state >>> 16
    })
    const stated = ffmpeg(["-f", "g722", "-i", "-"], raw, bytes)
    const samples = new Float32Array(2 * bytes.length)
    makeG722Decoder().decode(bytes, 0, bytes.length, samples, 0)
    assert.deepStrictEqual(toLinear16(samples).subarray(0, stated.length), stated)
  })
})
