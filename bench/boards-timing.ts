import { monitorEventLoopDelay } from "node:perf_hooks"

/** The given percentile of the values. */
export const percentile = (values: ReadonlyArray<number>, percent: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * percent / 100) - 1)] ?? Number.NaN
}

/** Formats milliseconds. */
export const ms = (value: number): string => value < 10 ? `${value.toFixed(2)} ms` : `${Math.round(value)} ms`

/** Measures the duration of an asynchronous operation. */
export const timed = async <A>(work: () => Promise<A> | A): Promise<{ readonly took: number; readonly result: A }> => {
  const started = performance.now()
  const result = await work()
  return { took: performance.now() - started, result }
}

/** The longest block of the event loop during an operation, in milliseconds. */
export const lagWhile = async (work: () => Promise<unknown>): Promise<number> => {
  const lag = monitorEventLoopDelay({ resolution: 1 })
  lag.enable()
  await work()
  lag.disable()
  return lag.max / 1e6
}
