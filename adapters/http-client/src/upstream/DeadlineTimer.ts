/** Longest delay of `setTimeout`, in milliseconds. */
const maxTimeout = 2 ** 31 - 1

/** A deadline that can be moved, with a single timer however often it moves. */
export interface DeadlineTimer {
  /** Moves the deadline to a time of `performance.now()`; `Infinity` for never. */
  readonly setDeadline: (at: number) => void
}

/**
 * Makes a timer that calls back once for each deadline that passes. A process that was busy first reads the bytes that
 * have arrived meanwhile.
 */
export const makeDeadlineTimer = (onDue: () => void): DeadlineTimer => {
  let at = Number.POSITIVE_INFINITY
  let firesAt = Number.POSITIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  const arm = () => {
    clearTimeout(timer)
    firesAt = at
    timer = at === Number.POSITIVE_INFINITY
      ? undefined
      : setTimeout(fire, Math.min(maxTimeout, Math.max(0, at - performance.now())))
  }
  const fire = () => {
    if (performance.now() < at) return arm()
    setImmediate(() => {
      if (performance.now() < at) return arm()
      at = Number.POSITIVE_INFINITY
      firesAt = at
      onDue()
    })
  }

  return {
    setDeadline: (deadline) => {
      at = deadline
      if (at < firesAt || at === Number.POSITIVE_INFINITY) arm()
    }
  }
}
