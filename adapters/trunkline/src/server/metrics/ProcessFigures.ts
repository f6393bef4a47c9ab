import { makeCounter, makeGauge } from "@trunkline/kernel"
import { monitorEventLoopDelay } from "node:perf_hooks"

const delay = makeGauge({
  name: "trunkline_event_loop_delay_seconds",
  help: "Delay of the event loop since the last reading",
  labels: { statistic: ["p50", "p99", "max"] }
})

const cpu = makeCounter({
  name: "trunkline_process_cpu_seconds_total",
  help: "Time of processors that this process has used, with all its threads"
})

const memory = makeGauge({ name: "trunkline_process_memory_bytes", help: "Resident memory of this process" })

/** Time between two measurements of the delay, in milliseconds. */
const resolution = 10

/**
 * Measures the delay of the event loop of this process from now on. The function that is returned reads it into the metrics
 * and begins anew, and reads processors and memory. The measurements keep no process alive.
 */
export const watchProcess = (): () => void => {
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  let count = 0
  // A measurement contains its own interval.
  const secondsOf = (nanoseconds: number) =>
    histogram.count === 0 ? 0 : Math.max(0, nanoseconds / 1e6 - resolution) / 1_000
  return () => {
    delay.set(secondsOf(histogram.percentile(50)), { statistic: "p50" })
    delay.set(secondsOf(histogram.percentile(99)), { statistic: "p99" })
    delay.set(secondsOf(histogram.max), { statistic: "max" })
    histogram.reset()
    const { system, user } = process.cpuUsage()
    const used = (system + user) / 1e6
    cpu.add(Math.max(0, used - count))
    count = used
    memory.set(process.memoryUsage.rss())
  }
}
