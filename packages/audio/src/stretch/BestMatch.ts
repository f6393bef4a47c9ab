/** Where in a sound to look for what goes on as another place of it does. */
export interface Search {
  readonly samples: Float32Array
  /** The place to be matched, and how many samples from it on. */
  readonly like: number
  readonly length: number
  /** The first and the last place to look at, and the one that is taken when none is better than another. */
  readonly from: number
  readonly to: number
  readonly otherwise: number
}

/** The rate at which places are compared before the best is looked at closely, in samples per second. */
const COARSE_RATE = 6_000

/** Every so many samples added up, from one place on. */
const addedUp = (
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

/** The place where samples correlate best with what is to be matched, for their own loudness. */
const correlated = ({ from, length, like, otherwise, samples, to }: Search, pattern: Float32Array): number => {
  let energy = 0
  for (let at = 0; at < length; at++) energy += (samples[from + at] ?? 0) ** 2
  let best = otherwise
  let highest = 0
  for (let place = from; place <= to; place++) {
    let sum = 0
    for (let at = 0; at < length; at++) sum += (pattern[like + at] ?? 0) * (samples[place + at] ?? 0)
    const likeness = energy > 0 ? sum / Math.sqrt(energy) : 0
    if (likeness > highest) {
      highest = likeness
      best = place
    }
    energy += (samples[place + length] ?? 0) ** 2 - (samples[place] ?? 0) ** 2
  }
  return best
}

/**
 * Finds the place from which a sound goes on most like it does from another: by normalised correlation, of every few
 * samples added up at first, and then closely around the best. `limits` is the most that may be searched and compared.
 */
export const makeBestMatch = (rate: number, limits: { readonly places: number; readonly length: number }) => {
  const by = Math.max(1, Math.round(rate / COARSE_RATE))
  const pattern = new Float32Array(Math.floor(limits.length / by))
  const zone = new Float32Array(Math.floor(limits.places / by) + pattern.length)

  return (search: Search): number => {
    const { from, like, otherwise, samples, to } = search
    addedUp(samples, { from: like, by, into: pattern })
    addedUp(samples, { from, by, into: zone })
    const coarse = correlated({
      samples: zone,
      like: 0,
      length: pattern.length,
      from: 0,
      to: Math.floor((to - from) / by),
      otherwise: -1
    }, pattern)
    if (coarse < 0) return otherwise
    const near = from + coarse * by
    return correlated(
      { ...search, from: Math.max(from, near - by + 1), to: Math.min(to, near + by - 1), otherwise: near },
      samples
    )
  }
}
