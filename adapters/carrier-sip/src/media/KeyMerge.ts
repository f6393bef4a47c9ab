/** Way by which a key arrived. */
export type KeyWay = "rtp" | "info"

/** Time within which the same key by the other way is the same press, in milliseconds. */
const sameMillis = 2_000

/**
 * Makes a function that returns true for a key that is new, and false for one that has arrived by the other way already.
 * The same key twice by one way is two presses.
 */
export const makeKeyMerge = (): (digit: string, way: KeyWay, now: number) => boolean => {
  /** Presses that have not arrived by the other way. */
  let waiting: ReadonlyArray<{ readonly digit: string; readonly way: KeyWay; readonly at: number }> = []
  return (digit, way, now) => {
    waiting = waiting.filter(({ at }) => now - at <= sameMillis)
    const same = waiting.find((press) => press.digit === digit && press.way !== way)
    waiting = same === undefined ? [...waiting, { digit, way, at: now }] : waiting.filter((press) => press !== same)
    return same === undefined
  }
}
