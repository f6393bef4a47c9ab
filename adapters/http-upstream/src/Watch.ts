/** What `setTimeout` can wait, in milliseconds. */
const longestTimer = 2 ** 31 - 1

/** Holds one moment at which something is due, with one timer however often the moment moves on. */
export interface Watch {
  /** Makes it due at a moment of `performance.now()`; `Infinity` for never. */
  readonly due: (at: number) => void
}

/** A watch that calls back once each time its moment has come. A process that was busy reads what has arrived first. */
export const makeWatch = (onDue: () => void): Watch => {
  let at = Number.POSITIVE_INFINITY
  let rings = Number.POSITIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  const set = () => {
    clearTimeout(timer)
    rings = at
    timer = at === Number.POSITIVE_INFINITY
      ? undefined
      : setTimeout(ring, Math.min(longestTimer, Math.max(0, at - performance.now())))
  }
  const ring = () => {
    if (performance.now() < at) return set()
    setImmediate(() => {
      if (performance.now() < at) return set()
      at = Number.POSITIVE_INFINITY
      rings = at
      onDue()
    })
  }

  return {
    due: (moment) => {
      at = moment
      if (at < rings || at === Number.POSITIVE_INFINITY) set()
    }
  }
}
