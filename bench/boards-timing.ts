import { monitorEventLoopDelay } from "node:perf_hooks"

/** A value that so many percent of the others do not exceed. */
export const percentile = (values: ReadonlyArray<number>, percent: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * percent / 100) - 1)] ?? Number.NaN
}

/** Milliseconds, as people read them. */
export const ms = (value: number): string => value < 10 ? `${value.toFixed(2)} ms` : `${Math.round(value)} ms`

/** How long something takes. */
export const timed = async <A>(work: () => Promise<A> | A): Promise<{ readonly took: number; readonly result: A }> => {
  const started = performance.now()
  const result = await work()
  return { took: performance.now() - started, result }
}

/** The longest that the event loop stood still while something was done, in milliseconds. */
export const lagWhile = async (work: () => Promise<unknown>): Promise<number> => {
  const lag = monitorEventLoopDelay({ resolution: 1 })
  lag.enable()
  await work()
  lag.disable()
  return lag.max / 1e6
}
