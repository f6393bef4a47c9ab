/** The pitches that are looked for, in hertz: voices of men, women and children, and a little beyond. */
export const LOWEST_PITCH = 55
export const HIGHEST_PITCH = 450

/** How much a voiced stretch differs at most from itself a period on; de Cheveigné and Kawahara (2002) take 0.1 to 0.2. */
const MOST_APERIODIC = 0.2

/** How much more than at its best lag it may differ at a shorter one that is taken for the period. */
const NEARLY = 0.07

/** How many samples a stretch is compared over, and how far away, at a rate. */
export const yinSpan = (rate: number) => ({ length: Math.ceil(rate / 50), lags: Math.ceil(rate / LOWEST_PITCH) + 2 })

/** How much samples differ from those a lag away. */
const difference = (
  samples: Float32Array,
  { length, lag, place }: { readonly place: number; readonly length: number; readonly lag: number }
) => {
  let sum = 0
  for (let at = place; at < place + length; at++) sum += ((samples[at] ?? 0) - (samples[at + lag] ?? 0)) ** 2
  return sum
}

/** The lag at the bottom of the parabola through the differences at a lag and at those beside it. */
const bottom = (differences: Float64Array, lag: number): number => {
  const [before = 0, here = 0, after = 0] = differences.subarray(lag - 1, lag + 2)
  const bend = before - 2 * here + after
  return bend > 0 ? lag + (before - after) / (2 * bend) : lag
}

/**
 * The pitch at a place, in hertz; null where there is none. By YIN: how much a stretch differs from itself at each lag,
 * for how much it does at shorter ones. The period is the first lag that is nearly as good as the best.
 */
export const pitchAt = (
  samples: Float32Array,
  { place, rate }: { readonly place: number; readonly rate: number }
): number | null => {
  const { lags, length } = yinSpan(rate)
  const differences = new Float64Array(lags + 1)
  const shares = new Float64Array(lags + 1).fill(1)
  let sum = 0
  let best = 1
  for (let lag = 1; lag <= lags; lag++) {
    const here = difference(samples, { place, length, lag })
    sum += here
    differences[lag] = here
    shares[lag] = sum > 0 ? here * lag / sum : 1
    best = Math.min(best, shares[lag] ?? 1)
  }
  if (best > MOST_APERIODIC) return null
  let low = shares.findIndex((share) => share <= best + NEARLY)
  while ((shares[low + 1] ?? 1) < (shares[low] ?? 1)) low += 1
  const pitch = rate / bottom(differences, low)
  return pitch < LOWEST_PITCH || pitch > HIGHEST_PITCH ? null : pitch
}
