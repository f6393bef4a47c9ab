/** Quantizer of one of the two sub-bands of ITU-T G.722, at 64 kbit/s. */
export interface Band {
  /** Codes of differences by their magnitude in steps of the scale, those of negative ones from `negativeOffset` on. */
  readonly codes: Uint8Array
  /** Step of each entry of `codes` by which the predictor adapts. */
  readonly quantized: Int16Array
  /** Step of each code by which the predictor adapts: without the bits that a data channel could take. */
  readonly steps: Int16Array
  /** Step of each code as it is heard. */
  readonly heard: Int16Array
  /** Change of the logarithm of the scale with each code. */
  readonly weights: Int16Array
  /** Scales by the logarithm without its low 6 bits, and their inverses. */
  readonly scales: Int32Array
  readonly inverses: Float64Array
  /** Largest logarithm of the scale. */
  readonly max: number
}

/** Entries for the magnitudes of differences; the largest threshold is below. A power of two. */
export const negativeOffset = 4_096

/** Scale by the five low bits of its logarithm (ILB). */
const octave = [
  [2048, 2093, 2139, 2186, 2233, 2282, 2332, 2383, 2435, 2489, 2543, 2599, 2656, 2714, 2774, 2834],
  [2896, 2960, 3025, 3091, 3158, 3228, 3298, 3371, 3444, 3520, 3597, 3676, 3756, 3838, 3922, 4008]
].flat()

/** Thresholds of the lower band (Q6), from the one below which a difference has the smallest code. */
const lowThresholds = [
  [0, 35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650],
  [714, 786, 858, 940, 1023, 1121, 1219, 1339, 1458, 1612, 1765, 1980, 2195, 2557, 2919]
].flat()

/** Threshold of the higher band (Q2). */
const highThresholds = [0, 564]

/** Magnitudes of the lower band with 6 bits (QQ6), from the largest to the second smallest. */
const fineLevels = [
  [24808, 21904, 19008, 16704, 14984, 13512, 12280, 11192, 10232, 9360, 8576, 7856, 7192, 6576],
  [6000, 5456, 4944, 4464, 4008, 3576, 3168, 2776, 2400, 2032, 1688, 1360, 1040, 728]
].flat()

/** Steps of the codes of the lower band with 6 bits; the first four codes are never sent. */
const fineSteps = [
  -136,
  -136,
  -136,
  -136,
  ...fineLevels.map((level) => -level),
  ...fineLevels,
  432,
  136,
  -432,
  -136
]

/** Steps of the codes of the lower band with 4 bits (QQ4). */
const coarseLevels = [20456, 12896, 8968, 6288, 4240, 2584, 1200]
const coarseSteps = [0, ...coarseLevels.map((level) => -level), ...coarseLevels, 0]

/** Changes of the scale of the lower band with 4 bits (WL), which are those of both signs. */
const coarseChanges = [3042, 1198, 538, 334, 172, 58, -30]
const coarseWeights = [-60, ...coarseChanges, ...coarseChanges, -60]

/** Steps and changes of the scale of the codes of the higher band (QQ2, WH). */
const highSteps = [-7408, -1616, 7408, 1616]
const highWeights = [798, -214, 798, -214]

/** Scales of a band whose scale of 1 has a logarithm of `one` octaves. */
const scalesOf = (one: number, max: number): Int32Array =>
  Int32Array.from({ length: (max >> 6) + 1 }, (_, index) => {
    const exponent = (index >> 5) - one
    const mantissa = octave[index & 31] ?? 0
    return (exponent < 0 ? mantissa >> -exponent : mantissa << exponent) << 2
  })

/** Codes of both signs by magnitude. `codeOf` numbers the intervals between the thresholds from 1. */
const codesOf = (
  thresholds: ReadonlyArray<number>,
  codeOf: (interval: number, isNegative: boolean) => number
): Uint8Array => {
  const codes = new Uint8Array(2 * negativeOffset)
  for (let magnitude = 0, interval = 0; magnitude < negativeOffset; magnitude++) {
    while ((thresholds[interval] ?? Infinity) <= magnitude) interval += 1
    codes[magnitude] = codeOf(interval, false)
    codes[negativeOffset + magnitude] = codeOf(interval, true)
  }
  return codes
}

const bandOf = (
  { codes, max, one, ...tables }: {
    readonly codes: Uint8Array
    readonly steps: ReadonlyArray<number>
    readonly heard: ReadonlyArray<number>
    readonly weights: ReadonlyArray<number>
    readonly one: number
    readonly max: number
  }
): Band => {
  const steps = Int16Array.from(tables.steps)
  const scales = scalesOf(one, max)
  return {
    codes,
    quantized: Int16Array.from(codes, (code) => steps[code] ?? 0),
    steps,
    heard: Int16Array.from(tables.heard),
    weights: Int16Array.from(tables.weights),
    scales,
    inverses: Float64Array.from(scales, (scale) => 4_096 / scale),
    max
  }
}

/** Each of the 16 entries for the four codes of 6 bits that share it. */
const forFour = (entries: ReadonlyArray<number>): ReadonlyArray<number> =>
  entries.flatMap((entry) => [entry, entry, entry, entry])

/** The lower band, from 0 to 4 kHz: 6 bits a sample. */
export const lowBand: Band = bandOf({
  codes: codesOf(
    lowThresholds,
    (interval, isNegative) => !isNegative ? 62 - interval : interval < 3 ? 64 - interval : 34 - interval
  ),
  steps: forFour(coarseSteps),
  heard: fineSteps,
  weights: forFour(coarseWeights),
  one: 8,
  max: 18_432
})

/** The higher band, from 4 to 8 kHz: 2 bits a sample. */
export const highBand: Band = bandOf({
  codes: codesOf(highThresholds, (interval, isNegative) => (isNegative ? 2 : 4) - interval),
  steps: highSteps,
  heard: highSteps,
  weights: highWeights,
  one: 10,
  max: 22_528
})
