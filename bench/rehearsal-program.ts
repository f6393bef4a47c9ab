import { CreateCampaign } from "@trunkline/campaigns"
import { rehearse } from "@trunkline/rehearsal"
import { Effect, Schema } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"

/** One rehearsal, in a process of its own. */
export interface Rehearsed {
  readonly contacts: number
  readonly dials: number
  /** Seconds by the clock and of CPU, from the call of `rehearse` to its report. */
  readonly seconds: number
  readonly cpu: number
  /** Largest resident set of the process, in megabytes. */
  readonly peak: number
  /** Event loop delay, 99th percentile and maximum, in milliseconds. */
  readonly delay: readonly [p99: number, most: number]
  /** First digits of the digest of the log, which is the same on every machine. */
  readonly log: string
}

const campaign = Schema.decodeUnknownSync(CreateCampaign)({
  name: "Bench",
  app_config: {
    app_id: "reminder",
    app_version: 1,
    attempts_per_second: 50,
    connection_configs: [{ connection_id: "sim", phone_numbers: ["+911140000001"] }]
  },
  start_timestamp: "2024-05-20T04:30:00Z",
  end_timestamp: "2024-05-27T04:30:00Z",
  allowed_schedule: {
    allowed_start_time: "09:00",
    allowed_end_time: "18:00",
    allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
  }
})

const contacts = Number(process.argv[2])
const before = process.cpuUsage()
const start = performance.now()
const loop = monitorEventLoopDelay({ resolution: 1 })
loop.enable()
const { dials, log } = await Effect.runPromise(
  rehearse({ campaign, contacts, maxConcurrentCalls: 20_000, lowestRate: false })
)
loop.disable()
const { system, user } = process.cpuUsage(before)
const rehearsed: Rehearsed = {
  contacts,
  dials,
  seconds: (performance.now() - start) / 1e3,
  cpu: (user + system) / 1e6,
  peak: process.resourceUsage().maxRSS / 1e3,
  delay: [loop.percentile(99) / 1e6, loop.max / 1e6],
  log: log.sha256.slice(0, 16)
}
process.send?.(JSON.stringify(rehearsed))
