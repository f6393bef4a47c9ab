/** A search in audio for the continuation that is most similar to that of another position. */
export interface Search {
  readonly samples: Float32Array
  /** Position to match, and number of samples from there. */
  readonly like: number
  readonly length: number
  /** First and last candidate position, and the result if no candidate correlates. */
  readonly from: number
  readonly to: number
  readonly fallback: number
}

/** Sample rate of the coarse search, before the fine search around its best match. */
const coarseRate = 6_000

/** Downsamples by adding up groups of `by` samples from a position on. */
const sumGroups = (
  samples: Float32Array,
  { by, from, into }: { readonly from: number; readonly by: number; readonly into: Float32Array }
): Float32Array => {
  for (let at = 0; at < into.length; at++) {
    let sum = 0
    for (let part = 0; part < by; part++) sum += samples[from + at * by + part] ?? 0
    into[at] = sum
  }
  return into
}

/** The candidate with the highest normalised correlation. */
const findBest = ({ from, length, like, fallback, samples, to }: Search, pattern: Float32Array): number => {
  let energy = 0
  for (let at = 0; at < length; at++) energy += (samples[from + at] ?? 0) ** 2
  let best = fallback
  let highest = 0
  for (let place = from; place <= to; place++) {
    let sum = 0
    for (let at = 0; at < length; at++) sum += (pattern[like + at] ?? 0) * (samples[place + at] ?? 0)
    const similarity = energy > 0 ? sum / Math.sqrt(energy) : 0
    if (similarity > highest) {
      highest = similarity
      best = place
    }
    energy += (samples[place + length] ?? 0) ** 2 - (samples[place] ?? 0) ** 2
  }
  return best
}

/**
 * Makes a function that finds the position whose continuation is most similar to that of another position, by normalised
 * correlation: first of downsampled audio, then of all samples around the best match. `limits` are the largest number of
 * candidates and the largest length to compare.
 */
export const makeBestMatch = (rate: number, limits: { readonly places: number; readonly length: number }) => {
  const by = Math.max(1, Math.round(rate / coarseRate))
  const pattern = new Float32Array(Math.floor(limits.length / by))
  const zone = new Float32Array(Math.floor(limits.places / by) + pattern.length)

  return (search: Search): number => {
    const { from, like, fallback, samples, to } = search
    sumGroups(samples, { from: like, by, into: pattern })
    sumGroups(samples, { from, by, into: zone })
    const coarse = findBest({
      samples: zone,
      like: 0,
      length: pattern.length,
      from: 0,
      to: Math.floor((to - from) / by),
      fallback: -1
    }, pattern)
    if (coarse < 0) return fallback
    const near = from + coarse * by
    return findBest(
      { ...search, from: Math.max(from, near - by + 1), to: Math.min(to, near + by - 1), fallback: near },
      samples
    )
  }
}
