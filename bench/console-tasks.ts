interface TraceEvent {
  readonly ph: string
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** CPU time of the thread, in microseconds. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/**
 * Milliseconds of CPU of the longest task of a page's main thread in a trace of Chromium: scripts, styles, layout and paint. Other
 * programs of the machine lengthen a frame by the clock, but not this.
 */
export const longestTask = (trace: Buffer): number => {
  const { traceEvents }: { readonly traceEvents: ReadonlyArray<TraceEvent> } = JSON.parse(trace.toString())
  const thread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const main = new Set(
    traceEvents.filter(({ args, name }) => name === "thread_name" && args?.name === "CrRendererMain").map(thread)
  )
  return traceEvents.reduce(
    (longest, event) =>
      event.ph === "X" && event.name.endsWith("RunTask") && main.has(thread(event))
        ? Math.max(longest, (event.tdur ?? 0) / 1000)
        : longest,
    0
  )
}
