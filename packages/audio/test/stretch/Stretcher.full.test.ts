import { assert, describe, it } from "@effect/vitest"
import { type Audio, levelsOf, makeStretcher, medianPitch } from "@trunkline/audio"
import { amplitudeOf, hertzOf, middleOf, toneOf } from "@trunkline/audio/testing"
import { FastCheck } from "effect"
import { cutsWithin, process, processChunks } from "../Chunks.js"
import { voiceOf } from "../Voice.js"

const stretched = ({ rate, samples }: Audio, factor: number): Audio => ({
  rate,
  samples: process(makeStretcher({ rate, factor }), samples)
})

const largestJump = ({ samples }: Audio): number =>
  samples.reduce((most, sample, at) => at === 0 ? 0 : Math.max(most, Math.abs(sample - (samples[at - 1] ?? 0))), 0)

const silence: Audio = { rate: 16_000, samples: new Float32Array(16_000) }

const factors = [0.5, 0.65, 0.8, 0.95, 1.05, 1.25, 1.6, 2]

const voices = [
  voiceOf({ rate: 24_000, seconds: 3, hertz: 95, glide: 0.1, syllables: 4 }),
  voiceOf({ rate: 8_000, seconds: 3, hertz: 140, glide: 0.1, syllables: 3 }),
  voiceOf({ rate: 44_100, seconds: 3, hertz: 230, glide: 0.05, syllables: 5 })
]

describe("stretching", () => {
  it.each([...factors, 0.4, 3])("by %f keeps pitch and level of voices without clicks", (factor) => {
    for (const voice of voices) {
      const audio = stretched(voice, factor)
      const pitch = medianPitch(voice) ?? 0
      assert.closeTo(medianPitch(audio) ?? 0, pitch, pitch * (factor < 0.5 ? 0.05 : 0.03))
      assert.closeTo(levelsOf(audio).rms, levelsOf(voice).rms, 1)
      assert.isAtMost(levelsOf(audio).peak, levelsOf(voice).peak * 1.05)
      assert.isAtMost(largestJump(audio), largestJump(voice) * 1.1)
    }
  })

  it.each(factors)("by %f keeps frequency and level of a tone throughout", (factor) => {
    for (const rate of [8_000, 24_000, 48_000]) {
      const audio = stretched(toneOf({ rate, seconds: 1, hertz: 440, level: 0.5 }), factor)
      assert.closeTo(hertzOf(middleOf(audio)), 440, 4.4)
      const edge = Math.round(rate / 44)
      for (const part of [audio.samples.subarray(0, edge), middleOf(audio).samples, audio.samples.subarray(-edge)]) {
        assert.closeTo(amplitudeOf({ rate, samples: part }), 0.5, 0.025)
      }
    }
  })

  it("moves speech to its new position within some milliseconds", () => {
    const rate = 16_000
    const tone = toneOf({ rate, seconds: 0.2, hertz: 300, level: 0.5 }).samples
    const samples = new Float32Array(2 * rate)
    samples.set(tone, 0.4 * rate)
    samples.set(tone, 1.5 * rate)
    for (const factor of factors) {
      const output = stretched({ rate, samples }, factor).samples
      const loud = [...output.keys()].filter((at) => Math.abs(output[at] ?? 0) > 0.25).map((at) => at / rate / factor)
      const [first, second] = [loud.filter((time) => time < 1), loud.filter((time) => time > 1)]
      assert.closeTo(first[0] ?? 0, 0.4, 0.03)
      assert.closeTo(first.at(-1) ?? 0, 0.6, 0.03)
      assert.closeTo(second[0] ?? 0, 1.5, 0.03)
      assert.closeTo(second.at(-1) ?? 0, 1.7, 0.03)
    }
  })

  it("by 1 returns the input", () => {
    const voice = voices[0] ?? silence
    assert.deepStrictEqual(stretched(voice, 1).samples, voice.samples)
  })

  it("returns silence for silence, and nothing for nothing", () => {
    for (const factor of factors) {
      assert.deepStrictEqual(stretched(silence, factor).samples, new Float32Array(Math.round(16_000 * factor)))
      assert.strictEqual(stretched({ rate: 16_000, samples: new Float32Array() }, factor).samples.length, 0)
    }
  })

  const anyFactor = FastCheck.double({ min: 0.05, max: 6, noNaN: true })

  it.prop(
    "has the requested duration to the sample, and is never louder",
    [FastCheck.nat(6_000), anyFactor],
    ([length, factor]) => {
      const samples = Float32Array.from({ length }, (_, at) => Math.sin(at * at / 2_000) / 2)
      const audio = stretched({ rate: 8_000, samples }, factor)
      assert.strictEqual(audio.samples.length, Math.round(length * factor))
      assert.isAtMost(levelsOf(audio).peak, 0.501)
    }
  )

  it.prop(
    "does not depend on the division into chunks",
    [cutsWithin(20_000), anyFactor, FastCheck.constantFrom(0, 1, 2)],
    ([cuts, factor, which]) => {
      const voice = voices[which] ?? silence
      const samples = voice.samples.subarray(0, 20_000)
      const whole = process(makeStretcher({ rate: voice.rate, factor }), samples)
      assert.deepStrictEqual(processChunks(makeStretcher({ rate: voice.rate, factor }), { samples, cuts }), whole)
    },
    { fastCheck: { numRuns: 60 } }
  )
})
