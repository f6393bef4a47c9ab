import { assert, describe, it } from "@effect/vitest"
import { makeFourierTransform, transformSize } from "../src/FourierTransform.js"
import { logMel, melBands, melRate } from "../src/LogMel.js"

/** Numbers that look random. */
const noise = (count: number, seed = 7): Float64Array => {
  let state = seed
  return Float64Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 1_073_741_824 - 1
  })
}

const tone = (hertz: number, samples: number): Float32Array =>
  Float32Array.from({ length: samples }, (_, at) => Math.sin(2 * Math.PI * hertz * at / melRate))

describe("a Fourier transform of 400 values", () => {
  it("is the sum of its definition at every frequency", () => {
    const [real, imaginary] = [noise(transformSize, 1), noise(transformSize, 2)]
    const transform = makeFourierTransform()
    transform.real.set(real)
    transform.imaginary.set(imaginary)
    transform.run()
    for (let bin = 0; bin < transformSize; bin++) {
      let [x, y] = [0, 0]
      for (let at = 0; at < transformSize; at++) {
        const angle = -2 * Math.PI * ((at * bin) % transformSize) / transformSize
        x += (real[at] ?? 0) * Math.cos(angle) - (imaginary[at] ?? 0) * Math.sin(angle)
        y += (real[at] ?? 0) * Math.sin(angle) + (imaginary[at] ?? 0) * Math.cos(angle)
      }
      assert.closeTo(transform.real[bin] ?? Number.NaN, x, 1e-9)
      assert.closeTo(transform.imaginary[bin] ?? Number.NaN, y, 1e-9)
    }
  })
})

describe("log-mel features", () => {
  const frames = 100
  const rowOf = (features: Float32Array, frame: number) =>
    Array.from({ length: melBands }, (_, band) => features[band * frames + frame] ?? Number.NaN)

  it("are 80 bands of every 10 ms; those of silence are all at the floor", () => {
    const features = logMel(new Float32Array(frames * 160))
    assert.strictEqual(features.length, melBands * frames)
    assert.isTrue(features.every((feature) => feature === -1.5))
  })

  it("of a tone are highest in the band around it, and at most 8 dB, which are 2 units, below that elsewhere", () => {
    for (const [hertz, band] of [[500, 13], [1_000, 26], [4_000, 62]] as const) {
      const row = rowOf(logMel(tone(hertz, frames * 160)), 50)
      const highest = row.indexOf(Math.max(...row))
      assert.closeTo(highest, band, 1, `${hertz} Hz`)
      assert.closeTo(Math.max(...row) - Math.min(...row), 2, 1e-6)
    }
  })

  it("rise by the square of the sound, in powers of ten", () => {
    const loud = tone(1_000, frames * 160)
    const quiet = loud.map((sample) => sample / 10)
    const level = (sound: Float32Array) => Math.max(...rowOf(logMel(sound), 50))
    assert.closeTo(level(loud) - level(quiet), 2 / 4, 1e-4)
  })

  it("of a flat beginning are those of the whole computation", () => {
    const sound = Float32Array.from([...new Float32Array(8_000), ...noise(8_000)])
    // One sample off makes no frame flat.
    const broken = sound.map((sample, at) => at === 0 ? 1e-12 : sample)
    const [short, long] = [logMel(sound), logMel(broken)]
    short.forEach((feature, at) => assert.closeTo(feature, long[at] ?? Number.NaN, 1e-5))
  })
})
