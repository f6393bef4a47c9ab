type Values = ReadonlyArray<number | null>

/** The places of the lowest and the highest of a stretch. */
const peaks = (values: Values, from: number, to: number): ReadonlyArray<number> => {
  let [lowest, highest] = [-1, -1]
  let [low, high] = [Infinity, -Infinity]
  for (let place = from; place < to; place++) {
    const value = values[place]
    if (value == null) continue
    if (value < low) [lowest, low] = [place, value]
    if (value > high) [highest, high] = [place, value]
  }
  return [lowest, highest].filter((place) => place >= 0)
}

/** A gap of a stretch that has one, so that a line is not drawn over it. */
const gap = (values: Values, from: number, to: number): ReadonlyArray<number> => {
  const place = values.slice(from, to).indexOf(null)
  return place < 0 ? [] : [from + place]
}

/**
 * Which places of a line to draw, from the first to the last and at most `most`: of stretches of equal length, where
 * each of the series is lowest, highest and absent. So thinning hides no peak, no trough and no gap.
 */
export const thinned = (series: ReadonlyArray<Values>, length: number, most: number): ReadonlyArray<number> => {
  if (length <= most) return Array.from({ length }, (_, place) => place)
  const stretches = Math.max(1, Math.floor((most - 2) / (3 * series.length)))
  const kept = new Set([0, length - 1])
  for (let stretch = 0; stretch < stretches; stretch++) {
    const [from, to] = [stretch, stretch + 1].map((each) => Math.floor(each * length / stretches))
    for (const values of series) {
      for (const place of [...peaks(values, from ?? 0, to ?? 0), ...gap(values, from ?? 0, to ?? 0)]) kept.add(place)
    }
  }
  return [...kept].toSorted((one, other) => one - other)
}
