import { type Cepstra, coefficientCount } from "./Cepstra.js"

/** Euclidean distance of two rows. */
const rowDistance = (one: Float32Array, at: number, other: Float32Array, place: number): number => {
  let sum = 0
  for (let order = 0; order < coefficientCount; order++) {
    const difference = (one[at + order] ?? 0) - (other[place + order] ?? 0)
    sum += difference * difference
  }
  return Math.sqrt(sum)
}

/**
 * Distance of two sounds by dynamic time warping: the mean distance of their rows along the best alignment, which may run
 * up to twice as fast in either. Infinite when they have no rows.
 */
export const warpedDistance = (one: Cepstra, other: Cepstra): number => {
  if (one.rows === 0 || other.rows === 0) return Infinity
  let before = new Float64Array(other.rows + 1).fill(Infinity)
  let now = new Float64Array(other.rows + 1)
  before[0] = 0
  for (let row = 0; row < one.rows; row++) {
    now[0] = Infinity
    for (let column = 0; column < other.rows; column++) {
      const distance = rowDistance(one.values, row * coefficientCount, other.values, column * coefficientCount)
      now[column + 1] = Math.min(
        (before[column] ?? Infinity) + 2 * distance,
        (before[column + 1] ?? Infinity) + distance,
        (now[column] ?? Infinity) + distance
      )
    }
    const swappedNumbers = before
    before = now
    now = swappedNumbers
  }
  return (before[other.rows] ?? Infinity) / (one.rows + other.rows)
}
