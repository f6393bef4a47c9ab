import type { WindowShape } from "./WindowInfo.js"

/** The modified Bessel function of the first kind and order 0, by its power series. */
const bessel = (x: number): number => {
  let sum = 1
  for (let term = x * x / 4, k = 1; term > sum * 1e-12; k++, term *= x * x / (4 * k * k)) sum += term
  return sum
}

const sine = (size: number): Float32Array =>
  Float32Array.from({ length: size }, (_, at) => Math.sin(Math.PI * (at + 1 / 2) / (2 * size)))

/** Derived from a Kaiser window, which is the narrower the larger `alpha` is. */
const kaiser = (size: number, alpha: number): Float32Array => {
  const window = Array.from(
    { length: size + 1 },
    (_, at) => bessel(Math.PI * alpha * Math.sqrt(1 - (2 * at / size - 1) ** 2))
  )
  const whole = window.reduce((sum, value) => sum + value, 0)
  let sum = 0
  return Float32Array.from(window.slice(0, size), (value) => {
    sum += value
    return Math.sqrt(sum / whole)
  })
}

/** How windows rise; they fall the same way (ISO/IEC 14496-3, 4.6.11.3.2). */
export const slopes: Readonly<Record<"long" | "short", Readonly<Record<WindowShape, Float32Array>>>> = {
  long: { sine: sine(1_024), kaiser: kaiser(1_024, 4) },
  short: { sine: sine(128), kaiser: kaiser(128, 6) }
}
