import type { BitReader } from "./BitReader.js"
import type { WindowInfo } from "./WindowInfo.js"

/** A filter over some neighbouring values of a window, which shapes the noise of coding along time. */
interface ShapingFilter {
  readonly window: number
  /** The bands that it lies over, from below. */
  readonly from: number
  readonly to: number
  readonly isDownward: boolean
  readonly coefficients: ReadonlyArray<number>
}

/** The filters of a frame in the order in which they are laid over it. */
export type Shaping = ReadonlyArray<ShapingFilter>

/** The most coefficients that a filter has in AAC-LC. */
const longest = { long: 12, short: 7 } as const

/** Reflection coefficients are written as parts of a right angle; `steps` is how many of them the positive ones are. */
const reflectionOf = (written: number, steps: number): number =>
  Math.sin(written / (written >= 0 ? steps - 0.5 : steps + 0.5) * Math.PI / 2)

/** Coefficients of a filter from its reflection coefficients. */
const predictorOf = (reflections: ReadonlyArray<number>): ReadonlyArray<number> =>
  reflections.reduce<ReadonlyArray<number>>(
    (before, reflection) => [
      ...before.map((value, at) => value + reflection * (before[before.length - 1 - at] ?? 0)),
      reflection
    ],
    []
  )

const signed = (number: number, width: number): number => number >= 1 << (width - 1) ? number - (1 << width) : number

/** `tns_data` of ISO/IEC 14496-3. */
export const readShaping = (bits: BitReader, { bands, sequence, size }: WindowInfo): Shaping => {
  const isShort = sequence === "short"
  const filters: Array<ShapingFilter> = []
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
          () => reflectionOf(signed(bits.read(width), width), 1 << (precision - 1))
        )
        const coefficients = predictorOf(reflections.slice(0, isShort ? longest.short : longest.long))
        filters.push({ window, from, to, isDownward, coefficients })
      }
      to = from
    }
  }
  return filters
}

/** Lays the filters of a frame over its values. */
export const shapeNoise = (spectrum: Float32Array, shaping: Shaping, { bands, size, used }: WindowInfo): void => {
  const most = Math.min(bands.shaped, used)
  for (const { coefficients, from, isDownward, to, window } of shaping) {
    const start = bands.offsets[Math.min(from, most)] ?? 0
    const end = bands.offsets[Math.min(to, most)] ?? 0
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
