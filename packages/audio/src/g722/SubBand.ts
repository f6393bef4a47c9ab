import { type Band, negativeOffset } from "./Bands.js"

/** Adaptive predictor and scale of one sub-band. */
export interface SubBand {
  readonly band: Band
  readonly isEncoding: boolean
  /** Coefficients of the six zeros, and twice the last six quantized differences. */
  b1: number
  b2: number
  b3: number
  b4: number
  b5: number
  b6: number
  d1: number
  d2: number
  d3: number
  d4: number
  d5: number
  d6: number
  /** Coefficients of the two poles, and twice the last reconstructed signal. */
  a1: number
  a2: number
  r1: number
  /** Last two differences with the prediction of the zeros, of which only the signs count. */
  p1: number
  p2: number
  /** Predictions of the next signal: by the zeros, and by zeros and poles. */
  zeros: number
  prediction: number
  /** Logarithm of the scale. */
  scale: number
}

/** Makes the beginning of a sub-band. */
export const makeSubBand = (band: Band, isEncoding: boolean): SubBand => ({
  band,
  isEncoding,
  b1: 0,
  b2: 0,
  b3: 0,
  b4: 0,
  b5: 0,
  b6: 0,
  d1: 0,
  d2: 0,
  d3: 0,
  d4: 0,
  d5: 0,
  d6: 0,
  a1: 0,
  a2: 0,
  r1: 0,
  p1: 0,
  p2: 0,
  zeros: 0,
  prediction: 0,
  scale: 0
})

/** Limits to a range from -32768 to 32767. */
const clamp16 = (value: number): number => value > 0x7FFF ? 0x7FFF : value < -0x8000 ? -0x8000 : value

/** Limits to a range from -16384 to 16383. */
const clamp15 = (value: number): number => value > 0x3FFF ? 0x3FFF : value < -0x4000 ? -0x4000 : value

/** Limits to a range from `-most` to `most`. */
const clampTo = (value: number, max: number): number => value > max ? max : value < -max ? -max : value

/** Sign as a step of a coefficient of the zeros; that of zero is positive. */
const signOf = (difference: number): number => (difference >> 31 & -256) + 128

/**
 * Encodes the first signals of `values` into codes, or decodes codes into signals, in place (ITU-T G.722).
 * Both run the same predictor: the encoder decodes what it sends.
 *
 * The state is kept in variables for the duration of a frame, all arithmetic is that of 32-bit integers, and nothing is
 * allocated: this runs 32,000 times a second in each call.
 */
export const runSubBand = (state: SubBand, values: Int32Array, count: number): void => {
  const { band: { codes, heard, inverses, max, quantized, scales, steps, weights }, isEncoding } = state
  let { a1, a2, b1, b2, b3, b4, b5, b6, d1, d2, d3, d4, d5, d6, p1, p2, prediction, r1, scale, zeros } = state
  let f1 = signOf(d1)
  let f2 = signOf(d2)
  let f3 = signOf(d3)
  let f4 = signOf(d4)
  let f5 = signOf(d5)
  let f6 = signOf(d6)
  for (let at = 0; at < count; at++) {
    const level = scales[scale >> 6] ?? 0
    let code = values[at] ?? 0
    let d = 0
    if (isEncoding) {
      const difference = clamp16((code - prediction) | 0)
      const sign = difference >> 31
      // The magnitude is below a threshold exactly when its last fraction of a step is.
      const magnitude = (((difference ^ sign) + 4_095.5 / 4_096) * (inverses[scale >> 6] ?? 0)) | 0
      const entry = (magnitude < negativeOffset ? magnitude : negativeOffset - 1) + (sign & negativeOffset)
      code = codes[entry] ?? 0
      values[at] = code
      d = Math.imul(level, quantized[entry] ?? 0) >> 15
    } else {
      d = Math.imul(level, steps[code] ?? 0) >> 15
      values[at] = clamp15((prediction + (Math.imul(level, heard[code] ?? 0) >> 15)) | 0)
    }
    scale = ((Math.imul(scale, 127) >> 7) + (weights[code] ?? 0)) | 0
    scale = scale < 0 ? 0 : scale > max ? max : scale

    // Poles. Masks are -1 where the signs differ and 0 where they agree.
    const p0 = (d + zeros) | 0
    const differs1 = (p0 ^ p1) >> 31
    const differs2 = (p0 ^ p2) >> 31
    p2 = p1
    p1 = p0
    const pull = clampTo(a1, 8_191)
    a2 = ((((pull ^ ~differs1) - ~differs1) >> 5) + (Math.imul(a2, 127) >> 7) + 128 + (differs2 & -256)) | 0
    a2 = clampTo(a2, 12_288)
    a1 = clampTo(((Math.imul(a1, 255) >> 8) + 192 + (differs1 & -384)) | 0, (15_360 - a2) | 0)
    const r0 = clamp16((prediction + d) << 1)
    const poles = clamp16(((Math.imul(a1, r0) >> 15) + (Math.imul(a2, r1) >> 15)) | 0)
    r1 = r0

    // Zeros, which a difference of zero only lets leak.
    const f0 = ((d >> 31) - (-d >> 31)) | 0
    b6 = ((Math.imul(b6, 255) >> 8) + Math.imul(f6, f0)) | 0
    b5 = ((Math.imul(b5, 255) >> 8) + Math.imul(f5, f0)) | 0
    b4 = ((Math.imul(b4, 255) >> 8) + Math.imul(f4, f0)) | 0
    b3 = ((Math.imul(b3, 255) >> 8) + Math.imul(f3, f0)) | 0
    b2 = ((Math.imul(b2, 255) >> 8) + Math.imul(f2, f0)) | 0
    b1 = ((Math.imul(b1, 255) >> 8) + Math.imul(f1, f0)) | 0
    d6 = d5
    d5 = d4
    d4 = d3
    d3 = d2
    d2 = d1
    d1 = d << 1
    f6 = f5
    f5 = f4
    f4 = f3
    f3 = f2
    f2 = f1
    f1 = signOf(d)
    const oldest = ((Math.imul(d6, b6) >> 15) + (Math.imul(d5, b5) >> 15)) | 0
    const middle = ((Math.imul(d4, b4) >> 15) + (Math.imul(d3, b3) >> 15)) | 0
    const newest = ((Math.imul(d2, b2) >> 15) + (Math.imul(d1, b1) >> 15)) | 0
    zeros = clamp16((oldest + middle + newest) | 0)
    prediction = clamp16((poles + zeros) | 0)
  }
  state.a1 = a1
  state.a2 = a2
  state.b1 = b1
  state.b2 = b2
  state.b3 = b3
  state.b4 = b4
  state.b5 = b5
  state.b6 = b6
  state.d1 = d1
  state.d2 = d2
  state.d3 = d3
  state.d4 = d4
  state.d5 = d5
  state.d6 = d6
  state.p1 = p1
  state.p2 = p2
  state.prediction = prediction
  state.r1 = r1
  state.scale = scale
  state.zeros = zeros
}
