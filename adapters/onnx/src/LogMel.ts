import { makeFourierTransform, transformSize } from "./FourierTransform.js"

/** Rate of the sound of Whisper's features, and samples between two frames. */
export const melRate = 16_000
const hop = 160

/** Bands of each frame. */
export const melBands = 80

const bins = transformSize / 2 + 1

/** Hann's window, periodic. */
const hann = Float64Array.from(
  { length: transformSize },
  (_, at) => 0.5 - 0.5 * Math.cos(2 * Math.PI * at / transformSize)
)

/** Frequency in hertz of a pitch in mel by Slaney's scale: linear up to 1 kHz, then by steps of 6.4 ** (1 / 27). */
const hertzOf = (mel: number): number => mel < 15 ? mel * 200 / 3 : 1_000 * 6.4 ** ((mel - 15) / 27)
const highestMel = 15 + 27 * Math.log(melRate / 2_000) / Math.log(6.4)
const edges = Array.from({ length: melBands + 2 }, (_, at) => hertzOf(highestMel * at / (melBands + 1)))

/** Triangles over the bins, each with the area 1, as pairs of its first bin and its weights. */
const triangles = Array.from({ length: melBands }, (_, band) => {
  const [low = 0, middle = 0, high = 0] = edges.slice(band, band + 3)
  const weights = Array.from({ length: bins }, (_, bin) => {
    const hertz = bin * melRate / transformSize
    const slope = Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle))
    return Math.max(0, slope) * 2 / (high - low)
  })
  const first = weights.findIndex((weight) => weight > 0)
  return { first, weights: Float64Array.from(weights.slice(first).filter((weight) => weight > 0)) }
})

/** Least energy of a band. */
const floor = 1e-10

/** Sample at a position, mirrored at both ends. */
const sampleAt = (sound: Float32Array, at: number): number =>
  sound[at < 0 ? -at : at < sound.length ? at : 2 * sound.length - 2 - at] ?? 0

/**
 * Log-mel features of sound at 16 kHz as Whisper hears it (Radford et al., 2022, section 2.2): frames of 25 ms every 10 ms, each of
 * 80 bands, band by band, at most 8 dB below the loudest and scaled to about -1 to 1. The sound must be a multiple of 10 ms. Two
 * frames go through each transform, as its real and its imaginary part; frames of one and the same value are not transformed twice.
 */
export const logMel = (sound: Float32Array): Float32Array => {
  const frames = sound.length / hop
  const features = new Float32Array(melBands * frames)
  const { imaginary, real, run } = makeFourierTransform()
  const powers = new Float64Array(bins)
  let loudest = Number.NEGATIVE_INFINITY

  /** Writes the bands of `powers` as a frame. */
  const write = (frame: number): void => {
    triangles.forEach(({ first, weights }, band) => {
      let energy = 0
      for (let at = 0; at < weights.length; at++) energy += (weights[at] ?? 0) * (powers[first + at] ?? 0)
      const level = Math.log10(Math.max(floor, energy))
      loudest = Math.max(loudest, level)
      features[band * frames + frame] = level
    })
  }

  /** First sample that differs from the first one: before it, frames are all the same. */
  const change = sound.findIndex((sample) => sample !== sound[0])
  const isFlat = (frame: number): boolean => change === -1 || frame * hop + transformSize / 2 < change
  const flat = Array.from({ length: frames }, (_, frame) => frame).filter(isFlat)
  const [pattern, ...copies] = flat
  const whole = Array.from({ length: frames }, (_, frame) => frame).filter((frame) =>
    frame === pattern || !isFlat(frame)
  )

  const load = (to: Float64Array, frame: number | undefined): void => {
    if (frame === undefined) return void to.fill(0)
    const from = frame * hop - transformSize / 2
    for (let at = 0; at < transformSize; at++) to[at] = (hann[at] ?? 0) * sampleAt(sound, from + at)
  }

  for (let pair = 0; pair < whole.length; pair += 2) {
    const [first, second] = [whole[pair], whole[pair + 1]]
    load(real, first)
    load(imaginary, second)
    run()
    for (const [frame, sign] of [[first, 1], [second, -1]] as const) {
      if (frame === undefined) continue
      for (let bin = 0; bin < bins; bin++) {
        const mirror = (transformSize - bin) % transformSize
        const x = (real[bin] ?? 0) + sign * (real[mirror] ?? 0)
        const y = (imaginary[bin] ?? 0) - sign * (imaginary[mirror] ?? 0)
        powers[bin] = (x * x + y * y) / 4
      }
      write(frame)
    }
  }
  for (const frame of copies) {
    for (let band = 0; band < melBands; band++) {
      features[band * frames + frame] = features[band * frames + (pattern ?? 0)] ?? 0
    }
  }
  return features.map((level) => (Math.max(level, loudest - 8) + 4) / 4)
}
