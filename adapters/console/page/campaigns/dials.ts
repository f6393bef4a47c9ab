import type { ProgressRecord } from "../api/types.js"

/**
 * Times of minutes in seconds, and the dials of each, from the first to the last in which a campaign dials. The server leaves out
 * minutes without dials, over which a line would be drawn as if there had been some.
 */
export const everyMinute = (
  dials: ProgressRecord["dials_per_minute"]
): readonly [ReadonlyArray<number>, ReadonlyArray<number>] => {
  const dialsOf = new Map(dials.map((each) => [Math.round(Date.parse(each.minute) / 60_000), each.dials]))
  if (dialsOf.size === 0) return [[], []]
  const [first, last] = [Math.min(...dialsOf.keys()), Math.max(...dialsOf.keys())]
  const minutes = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return [minutes.map((minute) => minute * 60), minutes.map((minute) => dialsOf.get(minute) ?? 0)]
}
