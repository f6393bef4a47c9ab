/** Memory in bytes, and CPU time since the start in microseconds. */
export interface Vitals {
  readonly heapUsed: number
  /** Memory of buffers, which are outside of the heap. */
  readonly external: number
  readonly rss: number
  readonly cpuMicros: number
}

// Answers the messages `look` and `collect` with the vitals of this process; the latter collects garbage first, if
// Node.js runs with `--expose-gc`. Portkey imports this file as well.
process.on("message", (message) => {
  if (message !== "look" && message !== "collect") return
  if (message === "collect") globalThis.gc?.()
  const { external, heapUsed, rss } = process.memoryUsage()
  const { system, user } = process.cpuUsage()
  process.send?.({ heapUsed, external, rss, cpuMicros: system + user } satisfies Vitals)
})
