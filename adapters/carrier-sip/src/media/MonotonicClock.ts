/**
 * Milliseconds of the system's monotonic clock. It is the same clock in all threads of a process, while `performance.now`
 * begins anew in each.
 */
export const monotonicMillis = (): number => {
  const [seconds, nanos] = process.hrtime()
  return seconds * 1_000 + nanos / 1_000_000
}
