import { CreateCampaign } from "@trunkline/campaigns"
import { rehearse } from "@trunkline/rehearsal"
import { Effect, Schema } from "effect"

const contacts = 100_000

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

/** Duration of a rehearsal with 100,000 contacts and the default model; contacts who ask for it are called again. */
export const run = async (): Promise<void> => {
  let largest = 0
  const onProgress = () => Effect.sync(() => void (largest = Math.max(largest, process.memoryUsage().rss)))
  const begun = performance.now()
  const { dials } = await Effect.runPromise(
    rehearse({ campaign, contacts, maxConcurrentCalls: 20_000, lowestRate: false, onProgress })
  )
  const seconds = (performance.now() - begun) / 1000
  const rate = Math.round(dials / seconds)
  console.log(
    `  ${contacts} contacts, ${dials} calls in ${seconds.toFixed(1)} s: ${rate} calls/s, ${
      Math.round(largest / 1e6)
    } MB`
  )
}
