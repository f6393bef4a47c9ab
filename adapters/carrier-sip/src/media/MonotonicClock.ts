/**
 * Milliseconds of the system's monotonic clock. It is the same clock in all threads of a process, while `performance.now`
 * begins anew in each.
 */
export const monotonicMillis = (): number => {
  const [seconds, nanos] = process.hrtime()
  return seconds * 1_000 + nanos / 1_000_000
}

/** Lateness in milliseconds from which packets that wait in the sockets are read before anything else. */
const lateMillis = 5

/**
 * Runs something at a time of the monotonic clock, and returns a function that cancels it. Timers come before sockets in the
 * event loop: after a standstill, the packets that have arrived meanwhile are read first.
 */
export const wakeAt = (at: number, run: () => void): () => void => {
  let immediate: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    if (monotonicMillis() - at > lateMillis) immediate = setImmediate(run)
    else run()
  }, Math.ceil(Math.max(0, at - monotonicMillis())))
  return () => {
    clearTimeout(timer)
    clearImmediate(immediate)
  }
}
