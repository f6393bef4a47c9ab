import { assert, describe, it } from "@effect/vitest"
import { type Audio, concatSamples, levelsOf } from "@trunkline/audio"
import { toneOf } from "@trunkline/audio/testing"

const rate = 24_000

const tone = (level: number, seconds = 1): Audio => toneOf({ rate, seconds, hertz: 200, level })

const silence = (seconds: number): Float32Array => new Float32Array(seconds * rate)

describe("levels", () => {
  it("of a tone are its peak, and an RMS 3 dB below", () => {
    const levels = levelsOf(tone(0.1))
    assert.closeTo(levels.peak, 0.1, 1e-6)
    assert.closeTo(levels.rms, -23.01, 0.01)
    assert.closeTo(levels.gatedRms, -23.01, 0.01)
    assert.closeTo(levelsOf({ rate, samples: silence(1).map((_, at) => at % 2 === 0 ? 1 : -1) }).rms, 0, 0.001)
  })

  it("are the lowest for silence and for empty audio", () => {
    const silent = { peak: 0, rms: -120, gatedRms: -120, clippedShare: 0, silentShare: 1 }
    assert.deepStrictEqual(levelsOf({ rate, samples: silence(1) }), silent)
    assert.deepStrictEqual(levelsOf({ rate, samples: silence(0) }), silent)
  })

  it("when gated ignore surrounding silence and whispers", () => {
    const loud = tone(0.3, 2)
    const samples = concatSamples([silence(3), loud.samples, tone(0.01, 3).samples])
    assert.closeTo(levelsOf({ rate, samples }).gatedRms, levelsOf(loud).rms, 0.7)
    assert.isBelow(levelsOf({ rate, samples }).rms, levelsOf(loud).rms - 5)
    assert.closeTo(levelsOf(tone(0.3, 0.1)).gatedRms, levelsOf(loud).rms, 0.01)
  })

  it("report the silent share despite an offset", () => {
    const samples = concatSamples([silence(1), tone(0.2, 3).samples])
    assert.closeTo(levelsOf({ rate, samples }).silentShare, 0.25, 0.01)
    assert.closeTo(levelsOf({ rate, samples: samples.map((sample) => sample + 0.1) }).silentShare, 0.25, 0.01)
  })

  it("report the clipped share, which is 0 for a tone that only touches full scale", () => {
    assert.strictEqual(levelsOf(tone(1)).clippedShare, 0)
    const cut = (top: number) => ({
      rate,
      samples: tone(2).samples.map((sample) => Math.max(-top, Math.min(top, sample)))
    })
    // A sine of twice full scale exceeds it for two thirds of the time.
    assert.closeTo(levelsOf(cut(1)).clippedShare, 2 / 3, 0.02)
    assert.closeTo(levelsOf(cut(32_124 / 32_768)).clippedShare, 2 / 3, 0.02)
    assert.strictEqual(levelsOf(cut(0.9)).clippedShare, 0)
    assert.strictEqual(levelsOf({ rate, samples: Float32Array.of(0, 1, 1, 0, 1, -1, 1, 0) }).clippedShare, 0)
    assert.strictEqual(levelsOf({ rate, samples: Float32Array.of(0, 1, 1, 1, 1, 0, -1, -1, -1, 0) }).clippedShare, 0.7)
  })
})
