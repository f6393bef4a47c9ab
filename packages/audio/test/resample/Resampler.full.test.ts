import { assert, describe, it } from "@effect/vitest"
import { type Audio, makeResampler, type ResamplerOptions, SampleRate } from "@trunkline/audio"
import { amplitudeOf, hertzOf, middleOf, toneOf } from "@trunkline/audio/testing"
import { FastCheck } from "effect"
import { filterOf } from "../../src/resample/PolyphaseFilter.js"
import { cutsWithin, process, processChunks } from "../Chunks.js"

const resampled = ({ rate, samples }: Audio, to: number, band?: ResamplerOptions["band"]): Audio => ({
  rate: to,
  samples: process(makeResampler({ from: rate, to, ...(band && { band }) }), samples)
})

/** A full-scale tone of 0.3 seconds, enough for measurements in its middle. */
const tone = (rate: number, hertz: number): Audio => toneOf({ rate, seconds: 0.3, hertz, level: 1 })

const decibels = (ratio: number): number => 20 * Math.log10(ratio)

/** Level of the residue after subtracting a tone of the same frequency and phase. */
const residue = (audio: Audio, hertz: number): number => {
  const pure = toneOf({ rate: audio.rate, seconds: audio.samples.length / audio.rate, hertz, level: 1 })
  const difference = audio.samples.map((sample, at) => sample - (pure.samples[at] ?? 0))
  return decibels(amplitudeOf(middleOf({ rate: audio.rate, samples: difference })))
}

/** The seven supported rates, an odd one, and pairs with a small common divisor. */
const pairs: ReadonlyArray<readonly [from: number, to: number]> = [
  ...[...SampleRate.literals, 11_025].flatMap((from) =>
    [8_000, 22_050, 48_000].filter((to) => to !== from).map((to) => [from, to] as const)
  ),
  [11_025, 32_000],
  [48_000, 44_100],
  [24_000, 16_000],
  [24_001, 8_000],
  [8_000, 44_101],
  [191_999, 8_000]
]

describe("resampling", () => {
  it.each(pairs)("from %i to %i keeps frequency, level and phase of tones", (from, to) => {
    const low = Math.min(from, to)
    for (const part of [0.01, 0.1, 0.25, 0.4, 0.42]) {
      const audio = resampled(tone(from, part * low), to)
      assert.closeTo(decibels(amplitudeOf(middleOf(audio))), 0, 0.01, `${part}`)
      assert.isAtMost(residue(audio, part * low), -70, `${part}`)
      assert.closeTo(hertzOf(middleOf(audio)), part * low, 0.001 * low, `${part}`)
    }
  })

  it.each(pairs.filter(([from, to]) => from > to))(
    "from %i to %i removes tones above the lower band",
    (from, to) => {
      for (const part of [0.501, 0.52, 0.6, 0.8, 1.1, 1.5, 2.3].filter((part) => part * to < from / 2)) {
        assert.isAtMost(decibels(amplitudeOf(middleOf(resampled(tone(from, part * to), to)))), -75, `${part}`)
      }
    }
  )

  it.each([[24_000, 8_000], [16_000, 8_000], [22_050, 8_000], [48_000, 16_000], [24_000, 16_000]])(
    "from %i to %i for a telephone keeps speech, and folds nothing back to it",
    (from, to) => {
      const levelOf = (part: number) =>
        decibels(amplitudeOf(middleOf(resampled(tone(from, part * to), to, "telephone"))))
      for (const part of [0.01, 0.1, 0.25, 0.4, 0.42]) {
        assert.closeTo(levelOf(part), 0, 0.15, `${part}`)
        assert.isAtMost(residue(resampled(tone(from, part * to), to, "telephone"), part * to), -38, `${part}`)
      }
      for (const part of [0.581, 0.6, 0.8, 1.1, 1.4].filter((part) => part * to < from / 2)) {
        assert.isAtMost(levelOf(part), -39, `${part}`)
      }
    }
  )

  it("raises a rate for a telephone as for all other sound", () => {
    const audio = tone(8_000, 3_500)
    assert.deepStrictEqual(resampled(audio, 16_000, "telephone"), resampled(audio, 16_000))
  })

  it("keeps a constant level from the first to the last sample", () => {
    const constant = { rate: 22_050, samples: new Float32Array(4_000).fill(0.5) }
    for (const sample of middleOf(resampled(constant, 48_000)).samples) assert.closeTo(sample, 0.5, 1e-6)
    const click = new Float32Array(6_000)
    click[3_000] = 1
    const output = resampled({ rate: 24_000, samples: click }, 16_000).samples
    assert.strictEqual(output.indexOf(Math.max(...output)), 2_000)
    for (const away of [1, 7, 40]) assert.closeTo(output[2_000 - away] ?? 9, output[2_000 + away] ?? 9, 1e-7)
  })

  it("returns the input for equal rates", () => {
    const audio = tone(16_000, 440)
    assert.deepStrictEqual(resampled(audio, 16_000).samples, audio.samples)
  })

  it("returns silence for silence, and nothing for nothing", () => {
    assert.deepStrictEqual(
      resampled({ rate: 8_000, samples: new Float32Array(800) }, 24_000).samples,
      new Float32Array(2_400)
    )
    assert.strictEqual(resampled({ rate: 8_000, samples: new Float32Array() }, 24_000).samples.length, 0)
  })

  it("caches the 16 most recently used filters", () => {
    const filter = filterOf(3, 1)
    for (let to = 2; to < 17; to++) filterOf(1, to)
    assert.strictEqual(filterOf(3, 1), filter)
    for (let to = 2; to < 18; to++) filterOf(1, to)
    assert.notStrictEqual(filterOf(3, 1), filter)
    assert.deepStrictEqual(filterOf(3, 1), filter)
  })

  it.prop(
    "keeps the duration to the sample",
    [FastCheck.integer({ min: 1, max: 3_000 }), FastCheck.constantFrom(...pairs)],
    ([length, [from, to]]) => {
      const audio = resampled({ rate: from, samples: new Float32Array(length).fill(0.1) }, to)
      assert.strictEqual(audio.samples.length, Math.round(length * to / from))
    },
    { fastCheck: { numRuns: 200 } }
  )

  it.prop(
    "does not depend on the division into chunks",
    [cutsWithin(9_000), FastCheck.constantFrom(...pairs)],
    ([cuts, [from, to]]) => {
      const samples = Float32Array.from({ length: 9_000 }, (_, at) => Math.sin(at * at / 9_000))
      for (const band of ["whole", "telephone"] as const) {
        const whole = process(makeResampler({ from, to, band }), samples)
        assert.deepStrictEqual(processChunks(makeResampler({ from, to, band }), { samples, cuts }), whole)
      }
    },
    { fastCheck: { numRuns: 60 } }
  )
})
