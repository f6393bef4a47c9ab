import type { BitReader } from "./BitReader.js"
import type { WindowInfo } from "./Windows.js"

/** Filter of temporal noise shaping (TNS): a predictor over neighbouring spectral values of one window. */
export interface TnsFilter {
  readonly window: number
  /** First band. */
  readonly from: number
  /** End band, exclusive. */
  readonly to: number
  /** True for a filter from high to low frequencies. */
  readonly isDownward: boolean
  readonly coefficients: ReadonlyArray<number>
}

/** Highest order of a filter in AAC-LC. */
const maxOrder = { long: 12, short: 7 } as const

/** Reflection coefficient of a quantized angle; `steps` is the number of positive steps up to a right angle. */
const reflectionOf = (angle: number, steps: number): number =>
  Math.sin(angle / (angle >= 0 ? steps - 0.5 : steps + 0.5) * Math.PI / 2)

/** Converts reflection coefficients to predictor coefficients: the step-up recursion. */
const predictorOf = (reflections: ReadonlyArray<number>): ReadonlyArray<number> =>
  reflections.reduce<ReadonlyArray<number>>(
    (before, reflection) => [
      ...before.map((value, at) => value + reflection * (before[before.length - 1 - at] ?? 0)),
      reflection
    ],
    []
  )

const signedOf = (number: number, width: number): number => number >= 1 << (width - 1) ? number - (1 << width) : number

/** Reads `tns_data` of ISO/IEC 14496-3: the filters of a channel in the order in which they are applied. */
export const readTnsFilters = (bits: BitReader, { bands, sequence, size }: WindowInfo): ReadonlyArray<TnsFilter> => {
  const isShort = sequence === "short"
  const filters: Array<TnsFilter> = []
  for (let window = 0; window < 1_024 / size; window++) {
    const count = bits.read(isShort ? 1 : 2)
    const precision = count > 0 ? bits.read(1) + 3 : 0
    let to = bands.offsets.length - 1
    for (let filter = 0; filter < count; filter++) {
      const from = Math.max(0, to - bits.read(isShort ? 4 : 6))
      const order = bits.read(isShort ? 3 : 5)
      if (order > 0) {
        const isDownward = bits.flag()
        const width = precision - bits.read(1)
        const reflections = Array.from(
          { length: order },
          () => reflectionOf(signedOf(bits.read(width), width), 1 << (precision - 1))
        )
        const coefficients = predictorOf(reflections.slice(0, isShort ? maxOrder.short : maxOrder.long))
        filters.push({ window, from, to, isDownward, coefficients })
      }
      to = from
    }
  }
  return filters
}

/** Applies the filters of a channel to its spectrum. */
export const applyTns = (
  spectrum: Float32Array,
  filters: ReadonlyArray<TnsFilter>,
  { bands, maxBands, size }: WindowInfo
): void => {
  const bandLimit = Math.min(bands.tnsBands, maxBands)
  for (const { coefficients, from, isDownward, to, window } of filters) {
    const start = bands.offsets[Math.min(from, bandLimit)] ?? 0
    const end = bands.offsets[Math.min(to, bandLimit)] ?? 0
    const first = window * size + (isDownward ? end - 1 : start)
    const step = isDownward ? -1 : 1
    for (let place = 0; place < end - start; place++) {
      const at = first + place * step
      let value = spectrum[at] ?? 0
      for (let back = 1; back <= Math.min(place, coefficients.length); back++) {
        value -= (coefficients[back - 1] ?? 0) * (spectrum[at - back * step] ?? 0)
      }
      spectrum[at] = value
    }
  }
}
