import { CreateCampaign } from "@trunkline/campaigns"
import { rehearse } from "@trunkline/rehearsal"
import { Effect, Schema } from "effect"

const people = 100_000

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

/** Whole seconds of a rehearsal of 100,000 people by the default model, each called once and again when they asked for it. */
export const run = async (): Promise<void> => {
  let largest = 0
  const onProgress = () => Effect.sync(() => void (largest = Math.max(largest, process.memoryUsage().rss)))
  const begun = performance.now()
  const { dials } = await Effect.runPromise(
    rehearse({ campaign, contacts: people, maxConcurrentCalls: 20_000, lowestRate: false, onProgress })
  )
  const seconds = (performance.now() - begun) / 1000
  const rate = Math.round(dials / seconds)
  console.log(
    `  ${people} people, ${dials} calls in ${seconds.toFixed(1)} s: ${rate} calls/s, ${Math.round(largest / 1e6)} MB`
  )
}
